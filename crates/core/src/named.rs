//! Conversion between enumerations and the stable names of their values.

use alloc::vec::Vec;
use core::fmt;

/// The error of parsing a name that no variant of an enumeration has. It contains the valid names.
///
/// ```
/// use urlsift_core::Level;
/// let error = "grave".parse::<Level>().unwrap_err();
/// assert_eq!(error.to_string(), "no such name: it is one of info, warning, error");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(Vec<&'static str>);

impl UnknownName {
    /// Creates an error that lists `names` as the valid ones.
    pub fn with_valid_names(names: impl Iterator<Item = &'static str>) -> Self {
        Self(names.collect())
    }

    /// Returns the names that would have been valid.
    pub fn valid_names(&self) -> &[&'static str] {
        &self.0
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such name: it is one of {}", self.0.join(", "))
    }
}

impl core::error::Error for UnknownName {}

/// Implements `Display` and `FromStr` for enumerations with an array constant `ALL` and a method
/// `name`.
///
/// If the calling crate's feature `serde` is on, also implements `Serialize` and `Deserialize`,
/// with the name as a string.
///
/// ```
/// enum Color {
///     Red,
/// }
///
/// impl Color {
///     const ALL: [Self; 1] = [Self::Red];
///
///     const fn name(&self) -> &'static str {
///         "red"
///     }
/// }
///
/// urlsift_core::by_name!(Color);
/// assert_eq!("red".parse::<Color>().unwrap().to_string(), "red");
/// assert!("blue".parse::<Color>().is_err());
/// ```
#[macro_export]
macro_rules! by_name {
    ($($named:ty),+ $(,)?) => { $(
        impl ::core::fmt::Display for $named {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::core::str::FromStr for $named {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|value| value.name() == name);
                found.ok_or_else(|| $crate::UnknownName::with_valid_names(Self::ALL.iter().map(|value| value.name())))
            }
        }

        #[cfg(feature = "serde")]
        impl ::serde::Serialize for $named {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> ::serde::Deserialize<'de> for $named {
            fn deserialize<D: ::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Visitor;
                impl ::serde::de::Visitor<'_> for Visitor {
                    type Value = $named;

                    fn expecting(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        f.write_str("a name")
                    }

                    fn visit_str<E: ::serde::de::Error>(self, name: &str) -> Result<$named, E> {
                        name.parse().map_err(E::custom)
                    }
                }
                from.deserialize_str(Visitor)
            }
        }
    )+ };
}

pub(crate) use by_name;
