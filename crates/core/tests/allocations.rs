//! Tests that functions documented not to allocate don't allocate.
#![expect(unsafe_code, reason = "an allocator is one by an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::borrow::Cow;
use std::cell::Cell;
use urlsift_core::{NormalForm, Profile, diagnose_normalized, normalize, parse_reference};

/// The system allocator, with a counter of each thread's allocations.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    ALLOCATIONS.with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed unchanged to the system allocator, which fulfills the contract. The
// counter is const-initialized and has no destructor, so counting doesn't allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the function's result and its number of allocations.
fn counted<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATIONS.get();
    let made = run();
    (made, ALLOCATIONS.get() - before)
}

/// A comparison key with all options on.
fn all() -> NormalForm {
    let mut form = NormalForm::default();
    form.without_fragment = true;
    form.without_userinfo = true;
    form.dot_segments = true;
    form.trailing_dot = true;
    form.mailto_domain = true;
    #[cfg(feature = "idna")]
    {
        form.a_labels = true;
    }
    form
}

/// URLs that are already in normal form, for every path through the code.
const NORMAL: &[&str] = &[
    "http://host.dom/a?b#c",
    "https://h/",
    "http://joe:pw@host.dom:8080/a%2Fb/%C3%A9?c=%20#d",
    "http://h.dom./a/../b/./c",
    "http://[::1]:81/",
    "ftp://ftp.host.dom/a/b;type=i",
    "ftp://host.dom/%2Fetc/motd",
    "gopher://host.dom/0a%09b",
    "mailto:Joe@Host.dom,ann@h.dom?cc=a%40b",
    "news:comp.lang.c",
    "telnet://joe@host.dom:24/",
    "file:///etc/motd",
    "urn:isbn:0451450523",
];

#[test]
fn equal_normal_form_does_not_allocate() {
    for written in NORMAL {
        let url = parse_reference(written.as_bytes(), Profile::Web).unwrap();
        let (form, allocations) = counted(|| normalize(&url));
        assert_eq!(&*form, written.as_bytes());
        assert!(matches!(form, Cow::Borrowed(_)), "{written}");
        assert_eq!(allocations, 0, "{written}");
        let (form, allocations) = counted(|| NormalForm::default().comparison_key(&url));
        assert_eq!((&*form, allocations), (written.as_bytes(), 0), "{written}");
        let key = all().comparison_key(&url).into_owned();
        let key = parse_reference(&key, Profile::Web).unwrap();
        let (form, allocations) = counted(|| all().comparison_key(&key));
        assert_eq!((&*form, allocations), (key.as_bytes(), 0), "{written}");
    }
}

#[test]
fn different_normal_form_allocates_once() {
    for (written, expected) in [
        ("HTTP://Host.dom/", "http://host.dom/"),
        ("http://host.dom:80/%7Ejoe", "http://host.dom/~joe"),
        ("http://host.dom", "http://host.dom/"),
        ("ftp://host.dom/a;TYPE=A", "ftp://host.dom/a;type=a"),
    ] {
        let url = parse_reference(written.as_bytes(), Profile::Web).unwrap();
        let (form, allocations) = counted(|| normalize(&url));
        assert_eq!((&*form, allocations), (expected.as_bytes(), 1), "{written}");
    }
    let url = parse_reference(b"http://host.dom/a#b", Profile::Web).unwrap();
    let (form, allocations) = counted(|| all().comparison_key(&url));
    assert_eq!(
        (&*form, allocations),
        (&b"http://host.dom/a"[..], 0),
        "what is cut off needs no copy"
    );
}

#[test]
fn url_without_findings_does_not_allocate() {
    let url = parse_reference(b"http://host.dom/a?b", Profile::Web).unwrap();
    let (form, allocations) = counted(|| diagnose_normalized(&url, |_| {}));
    assert_eq!((&*form, allocations), (&b"http://host.dom/a?b"[..], 0));
}
