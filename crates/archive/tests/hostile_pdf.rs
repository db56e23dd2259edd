//! Checks that the time and memory for a PDF file are bounded by its length, if its objects are
//! used many times, and that spaces without a width are no spaces.
#![cfg(feature = "pdf")]

use std::fmt::Write as _;
use std::ops::ControlFlow;
use urlsift_archive::{Container, Limit, Options, Tally, documents};

/// Returns a PDF file with these objects, which are numbered from 1. The first is the catalog.
fn pdf(objects: &[String]) -> Vec<u8> {
    let mut file = String::from("%PDF-1.4\n");
    let mut offsets = String::new();
    for (object, number) in objects.iter().zip(1..) {
        writeln!(offsets, "{:010} 00000 n ", file.len()).unwrap();
        writeln!(file, "{number} 0 obj\n{object}\nendobj").unwrap();
    }
    let (start, count) = (file.len(), objects.len() + 1);
    writeln!(
        file,
        "xref\n0 {count}\n0000000000 65535 f \n{offsets}trailer\n<</Size {count}/Root 1 0 R>>\n\
         startxref\n{start}\n%%EOF"
    )
    .unwrap();
    file.into_bytes()
}

fn stream(content: &str) -> String {
    format!("<</Length {}>>\nstream\n{content}\nendstream", content.len())
}

/// Returns a file with one page. Its `count` fonts have the table `table`.
fn with_fonts(count: usize, table: &str, content: &str) -> Vec<u8> {
    let fonts: String = (0..count).map(|font| format!("/F{font} {} 0 R", font + 6)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<<{fonts}>>>>/MediaBox[0 0 9 9]>>"
        ),
        stream(content),
        stream(&format!(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapType 2 def\n\
             1 begincodespacerange\n<00> <FF>\nendcodespacerange\n{table}\nendcmap\n\
             CMapName currentdict /CMap defineresource pop\nend\nend\n"
        )),
    ];
    let font = "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/ToUnicode 5 0 R\
                /DescendantFonts[<</Type/Font/W[0 65535 500]>>]>>";
    objects.extend(std::iter::repeat_n(font.to_owned(), count));
    pdf(&objects)
}

/// Returns the texts of the pages and the tally.
fn walk(file: &[u8]) -> (Vec<String>, Tally) {
    let mut texts = Vec::new();
    let tally = documents(file, Container::Pdf, 0, &Options::default(), &mut |document| {
        texts.push(String::from_utf8_lossy(document.text).into_owned());
        ControlFlow::Continue(())
    });
    (texts, tally)
}

#[test]
fn spaces_without_a_width_are_dropped() {
    let content = "BT /F 10 Tf -2.63 Tw (http://h.dom/ab c) Tj 0 Tw (d e) Tj ET";
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/MediaBox[0 0 9 9]>>",
        &stream(content),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/Widths[278]>>",
    ];
    let (texts, _) = walk(&pdf(&objects.map(str::to_owned)));
    assert_eq!(texts[0], "http://h.dom/abcd e");
}

#[test]
fn large_range_of_codes_is_not_expanded() {
    let table = "1 beginbfrange\n<00000000> <FFFFFFFF> <0041>\nendbfrange\n\
                 1 beginbfchar\n<68> <0068007400740070>\nendbfchar";
    let (texts, _) = walk(&with_fonts(1, table, "BT /F0 9 Tf (h) Tj ET"));
    assert_eq!(texts[0], "http");
}

#[test]
fn long_text_of_a_character_is_cut() {
    let table = format!("1 beginbfchar\n<01> <{}>\nendbfchar", "0041".repeat(100_000));
    let content = format!("BT /F0 9 Tf ({}) Tj ET", "\u{1}".repeat(4000));
    let (texts, tally) = walk(&with_fonts(1, &table, &content));
    assert_eq!(texts[0].len(), 4000 * 256);
    assert_eq!(tally.limits.get(Limit::Length), 0);
    let content = format!("BT /F0 9 Tf ({}) Tj ET", "\u{1}".repeat(100_000));
    let (texts, tally) = walk(&with_fonts(1, &table, &content));
    assert!(texts[0].len() < 100_000 * 256);
    assert_eq!(tally.limits.get(Limit::Length), 1);
}

#[test]
fn widths_of_fonts_are_bounded() {
    let content: String = (0..4000).map(|font| format!("/F{font} 9 Tf (h) Tj ")).collect();
    let table = "1 beginbfchar\n<68> <0068>\nendbfchar";
    let (texts, tally) = walk(&with_fonts(4000, table, &content));
    assert!(texts[0].starts_with('h'));
    assert_eq!(tally.limits.get(Limit::Length), 1);
}

#[test]
fn shared_annotations_are_bounded() {
    const COUNT: usize = 10_000;
    let pages: String = (0..COUNT).map(|page| format!("{} 0 R ", page + 5)).collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {COUNT}/Kids[{pages}]>>"),
        format!("[{}]", "4 0 R ".repeat(COUNT)),
        "<</Type/Annot/Subtype/Link/A<</URI(http://h.dom/)>>>>".to_owned(),
    ];
    objects.extend(std::iter::repeat_n("<</Type/Page/Annots 3 0 R>>".to_owned(), COUNT));
    let mut count = 0;
    let tally =
        documents(&pdf(&objects), Container::Pdf, 0, &Options::default(), &mut |document| {
            count += usize::from(document.text == b"http://h.dom/");
            ControlFlow::Continue(())
        });
    assert!((COUNT..2_000_000).contains(&count), "{count}");
    assert_eq!(tally.limits.get(Limit::Length), 1);
}
