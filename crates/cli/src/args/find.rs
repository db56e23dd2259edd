//! The options of what is found, and by which rules.

use super::messages::MessageArgs;
use super::names::{FORMS, HEADERS, MALFORMED, PROFILES, REJOIN, WEB_RECORDS, one_of, scheme};
use clap::Args;
use urlsift_archive::{Headers, WebRecords};
use urlsift_core::Profile;
use urlsift_records::{Malformed, Options, Place};
use urlsift_scanner::{Form, Rejoin};

/// By which rules URLs are rejoined and judged.
#[derive(Args, Clone, Debug)]
pub(crate) struct RuleArgs {
    /// The rules to judge by
    #[arg(
        long,
        value_name = "PROFILE",
        default_value = "web",
        value_parser = one_of(PROFILES),
        help_heading = "What to find"
    )]
    pub(crate) profile: Profile,

    /// How far bare URLs are followed over line breaks
    #[arg(
        long,
        value_parser = one_of(REJOIN),
        value_name = "HOW",
        default_value = "likely",
        help_heading = "What to find"
    )]
    pub(crate) rejoin: Rejoin,
}

/// What `scan` finds.
#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(crate) rules: RuleArgs,

    /// Report only URLs of these schemes; one that is not known is looked for too, also without
    /// `//`
    #[arg(long, value_name = "NAME", value_parser = scheme, value_delimiter = ',', help_heading = "What to find")]
    pub(crate) scheme: Vec<String>,

    /// Report only URLs in these forms
    #[arg(
        long,
        value_parser = one_of(FORMS),
        value_name = "FORM",
        value_delimiter = ',',
        help_heading = "What to find"
    )]
    pub(crate) form: Vec<Form>,

    /// What to do with what has the shape of a URL and is not valid in the profile
    #[arg(
        long,
        value_parser = one_of(MALFORMED),
        value_name = "WHAT",
        default_value = "skip",
        help_heading = "What to find"
    )]
    pub(crate) malformed: Malformed,

    /// Find URLs that were defanged, `hxxp://h[.]dom/`, as what they were
    #[arg(long, conflicts_with = "units", help_heading = "What to find")]
    pub(crate) refang: bool,

    /// Find relative links of HTML, too, and what they mean: by the page of a web archive, `<base href>`, and
    /// `Content-Base` or `Content-Location` of mail
    #[arg(long, help_heading = "What to find")]
    pub(crate) resolve: bool,

    /// Also find hosts without a scheme, as `www.host.dom/path`
    #[arg(long, help_heading = "What to find")]
    pub(crate) schemeless: bool,

    /// Also find locators from before there were URLs, as `ftp.host.dom:/path`
    #[arg(long, help_heading = "What to find")]
    pub(crate) locators: bool,

    /// Also find e-mail addresses that are part of no URL
    #[arg(long, help_heading = "What to find")]
    pub(crate) emails: bool,

    /// Also find hosts that are part of no URL, as `host.dom/path`: those whose last label is a top-level domain
    #[arg(long, help_heading = "What to find")]
    pub(crate) hosts: bool,

    /// Which header fields of messages to scan: none, the subject and those whose purpose is to hold
    /// a URL, or all that may hold one
    #[arg(
        long,
        value_parser = one_of(HEADERS),
        value_name = "WHICH",
        default_value = "urls",
        help_heading = "What to find"
    )]
    pub(crate) headers: Headers,

    /// Which records of web archives to read
    #[arg(
        long,
        value_name = "WHICH",
        value_parser = one_of(WEB_RECORDS),
        default_value = "pages",
        help_heading = "What to find"
    )]
    pub(crate) web_records: WebRecords,

    #[command(flatten)]
    pub(crate) messages: MessageArgs,

    /// Leave out what list software added to the end of messages
    #[arg(long, help_heading = "What to find")]
    pub(crate) no_footer: bool,
}

impl FindArgs {
    /// Sets what is asked for.
    ///
    /// # Errors
    ///
    /// A date that cannot be read.
    pub(super) fn set(&self, options: &mut Options) -> anyhow::Result<()> {
        options.profile = self.rules.profile;
        options.rejoin = self.rules.rejoin;
        options.malformed = self.malformed;
        options.schemes.clone_from(&self.scheme);
        options.forms.clone_from(&self.form);
        options.schemeless = self.schemeless;
        options.locators = self.locators;
        options.emails = self.emails;
        options.hosts = self.hosts;
        options.refang = self.refang;
        options.resolve = self.resolve;
        options.headers = self.headers;
        options.web_records = self.web_records;
        options.messages = self.messages.filter()?;
        options.without = self.messages.without();
        options.without.extend(self.no_footer.then_some(Place::Footer));
        Ok(())
    }
}
