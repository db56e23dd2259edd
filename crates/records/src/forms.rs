//! The set of URL forms that a scan finds.

use urlsift_scanner::Form;

/// A set of [`Form`]s, i.e. ways to write a URL, for which a scan searches. The set either replaces
/// the default forms or extends them.
///
/// ```
/// use urlsift_records::Forms;
/// use urlsift_scanner::Form;
/// let added: Forms = "+email".parse()?;
/// assert!(added.contains(Form::Bare) && added.contains(Form::Email));
/// let only: Forms = "bare,host".parse()?;
/// assert!(only.contains(Form::Host) && !only.contains(Form::Wrapped));
/// assert_eq!(only, Forms::only([Form::Bare, Form::Host]));
/// assert_eq!(added, Forms::default().with_form(Form::Email));
/// # Ok::<(), urlsift_core::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forms {
    /// True if the set replaces the default forms; false if it extends them.
    is_exclusive: bool,
    /// A bit set of the named forms, indexed by their positions in `Form::ALL`.
    named: u16,
}

impl Forms {
    /// The forms that are found by default.
    pub const DEFAULT: [Form; 5] =
        [Form::Wrapped, Form::Bracketed, Form::Prefixed, Form::Bare, Form::Attribute];

    /// Returns the set that contains exactly `forms`. A scan then searches for these instead of the
    /// default forms.
    pub fn only(forms: impl IntoIterator<Item = Form>) -> Self {
        forms.into_iter().fold(Self { is_exclusive: true, named: 0 }, Self::with_form)
    }

    /// Returns the set with `form` added to it.
    #[must_use]
    pub fn with_form(self, form: Form) -> Self {
        Self { named: self.named | form_bit(form), ..self }
    }

    /// True if the set contains `form`, so that a scan finds URLs written in this form.
    pub fn contains(self, form: Form) -> bool {
        self.named & form_bit(form) != 0 || (!self.is_exclusive && Self::DEFAULT.contains(&form))
    }

    /// True if the set replaces the default forms, and false if it extends them.
    pub(crate) fn replaces_defaults(self) -> bool {
        self.is_exclusive
    }
}

impl std::str::FromStr for Forms {
    type Err = urlsift_core::UnknownName;

    /// Parses names of forms that are separated by commas. If the first name starts with `+`, the
    /// forms extend the default forms. Otherwise they replace them. An empty text means the default
    /// forms.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = || text.split(',').filter(|name| !name.is_empty());
        let is_exclusive = names().next().is_some_and(|name| !name.starts_with('+'));
        names().try_fold(Self { is_exclusive, named: 0 }, |forms, name| {
            Ok(forms.with_form(name.strip_prefix('+').unwrap_or(name).parse()?))
        })
    }
}

/// Returns the bit that represents `form` in `Forms::named`.
fn form_bit(form: Form) -> u16 {
    1 << Form::ALL.iter().position(|known| *known == form).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Forms;
    use urlsift_scanner::Form;

    fn forms(text: &str) -> Vec<&'static str> {
        let forms: Forms = text.parse().unwrap();
        Form::ALL.into_iter().filter(|form| forms.contains(*form)).map(Form::name).collect()
    }

    #[test]
    fn a_leading_plus_adds_to_the_default() {
        let default = ["wrapped", "bracketed", "prefixed", "bare", "attribute"];
        assert_eq!(forms(""), default);
        for (text, added) in [
            ("+email", &["email"][..]),
            ("+host,email", &["email", "host"]),
            ("+email,+bare", &["email"]),
            ("+relative", &["relative"]),
        ] {
            assert_eq!(forms(text), [&default[..], added].concat(), "{text}");
        }
    }

    #[test]
    fn names_without_a_plus_replace_the_default() {
        assert_eq!(forms("bare"), ["bare"]);
        assert_eq!(forms("schemeless,wrapped"), ["wrapped", "schemeless"]);
        assert_eq!(forms("bare,+email"), ["bare", "email"]);
    }

    #[test]
    fn unknown_names_are_refused() {
        assert!("+".parse::<Forms>().is_err());
        assert!("bare,links".parse::<Forms>().is_err());
    }
}
