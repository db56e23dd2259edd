//! Reads the texts and links of PDF files.
//!
//! The crate `lopdf` reads the objects of a file, and the modules here read the text on the pages.
//! A text has no order or spaces in a PDF file: each piece has a position on the page. Pieces on
//! one line are joined, with a space where there is a gap between them.

mod budget;
mod cmap;
mod font;
mod matrix;
mod page;

use self::budget::Budget;
use self::font::Fonts;
use self::page::{MAX_STREAM_LEN, PageText};
use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// The maximum length in bytes of all pages after decompression, for a short file.
const MAX_PAGES_LEN: usize = 64 << 20;

/// The maximum number of dictionaries and lists inside each other that are searched for links.
const MAX_DEPTH: usize = 16;

/// The text and the links of a page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The number of the page, from 1. It is 0 for links that are on no page.
    pub number: u32,
    pub text: String,
    /// The URLs that the links on the page lead to.
    pub links: Vec<Vec<u8>>,
    /// True if a limit was reached, so that text or links of the file may be missing. Set only on
    /// the last item, which has the number 0 and contains the links outside of pages.
    pub is_cut: bool,
}

/// The objects of a PDF file.
#[derive(Debug)]
pub(crate) struct PdfFile {
    document: Document,
    pages: Vec<ObjectId>,
    len: usize,
}

impl PdfFile {
    /// Reads the objects of a file. Returns `None` if it is damaged or encrypted, or if it has no
    /// pages.
    pub(crate) fn open(file: &[u8]) -> Option<Self> {
        let max_len = file.len().saturating_mul(100).clamp(1 << 20, MAX_STREAM_LEN);
        let options = LoadOptions::with_max_decompressed_size(max_len);
        let document = Document::load_mem_with_options(file, options).ok()?;
        if document.is_encrypted() {
            return None;
        }
        let pages: Vec<ObjectId> = document.page_iter().take(file.len()).collect();
        (!pages.is_empty()).then_some(Self { document, pages, len: file.len() })
    }

    /// Calls `visit` with each page in order, and then with the links that are on no page.
    pub(crate) fn visit_pages(
        &self,
        mut visit: impl FnMut(&Page) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut fonts = Fonts::new(&self.document);
        let max_len = self.len.saturating_mul(8).max(MAX_PAGES_LEN);
        let (mut budget, mut link_budget) = (Budget::new(max_len), Budget::new(max_len));
        let mut seen = HashSet::new();
        for (id, number) in self.pages.iter().zip(1..) {
            let links = self.links_of_page(*id, &mut link_budget);
            seen.extend(links.iter().cloned());
            let text = PageText::read(&self.document, *id, &mut fonts, &mut budget);
            visit(&Page { number, text, links, is_cut: false })?;
        }
        let mut links = Vec::new();
        for object in self.document.objects.values() {
            Self::push_links(object, MAX_DEPTH, &mut links);
        }
        links.retain(|link| !seen.contains(link));
        let is_cut = budget.is_exceeded() || link_budget.is_exceeded() || fonts.are_cut();
        visit(&Page { number: 0, text: String::new(), links, is_cut })
    }

    /// Returns the URLs of the link annotations on a page. `budget` is the number of bytes of
    /// annotations that may be read, and is reduced by the number that were: pages may share their
    /// annotations.
    fn links_of_page(&self, page: ObjectId, budget: &mut Budget) -> Vec<Vec<u8>> {
        /// The number of bytes of an annotation without its URL.
        const MIN_LEN: usize = 32;
        let mut links = Vec::new();
        if budget.left() == 0 {
            return links;
        }
        for annotation in self.document.get_page_annotations(page).unwrap_or_default() {
            let url = self.url_of_annotation(annotation);
            budget.take(url.map_or(0, <[u8]>::len) + MIN_LEN);
            if budget.left() == 0 {
                break;
            }
            links.extend(url.map(<[u8]>::to_vec));
        }
        links
    }

    /// Returns the URL that an annotation leads to, or `None` if it leads to none.
    fn url_of_annotation<'d>(&'d self, annotation: &'d Dictionary) -> Option<&'d [u8]> {
        let (_, action) = self.document.dereference(annotation.get(b"A").ok()?).ok()?;
        let (_, url) = self.document.dereference(action.as_dict().ok()?.get(b"URI").ok()?).ok()?;
        url.as_str().ok()
    }

    /// Adds the URLs of the actions in an object to `links`, such as those of an outline. Searches
    /// objects up to `depth` levels deep.
    fn push_links(object: &Object, depth: usize, links: &mut Vec<Vec<u8>>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match object {
            Object::Array(objects) => {
                for object in objects {
                    Self::push_links(object, depth, links);
                }
            }
            Object::Dictionary(dictionary) => {
                for (key, object) in dictionary {
                    match object {
                        Object::String(url, _) if key == b"URI" => links.push(url.clone()),
                        _ => Self::push_links(object, depth, links),
                    }
                }
            }
            _ => {}
        }
    }
}
