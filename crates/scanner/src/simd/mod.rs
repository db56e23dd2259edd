//! Vectorized searches for the members of a byte set and for colons. The rules about URLs are
//! elsewhere.

#[cfg(all(target_arch = "x86_64", not(urlsift_portable)))]
mod avx2;
mod byteset;
mod colons;
mod window;

pub(crate) use byteset::ByteSet;
pub(crate) use colons::Colons;
pub(crate) use window::Window;
