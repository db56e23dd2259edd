//! Serializes records with `serde`. They become maps with the same fields, order and values as in
//! JSON Lines.

use super::fields::FieldWriter;
use super::json::encode_base64;
use crate::fields::Field;
use crate::record::{Join, Message, Page, UrlRecord};
use serde::ser::{Serialize, SerializeMap, Serializer};
use urlsift_core::Report;

/// A writer that adds the fields of a record to a Serde map. After an error, it ignores all further
/// fields.
struct MapWriter<M: SerializeMap> {
    map: M,
    done: Result<(), M::Error>,
}

impl<M: SerializeMap> MapWriter<M> {
    /// Adds a member with the key `name` to the map.
    fn add_member(&mut self, name: &str, value: &(impl Serialize + ?Sized)) {
        if self.done.is_ok() {
            self.done = self.map.serialize_entry(name, value);
        }
    }

    /// Adds a second member for `field`, whose key has the suffix `_bytes`. `base64` is the value
    /// of the field in base64: a text, or a list of texts.
    fn add_base64_member(&mut self, field: &Field, base64: &impl Serialize) {
        self.add_member(&format!("{}_bytes", field.name), base64);
    }

    /// Adds a member with a list of texts. If one of them is not UTF-8, also adds a member with all
    /// their bytes in base64.
    fn add_texts<'t>(&mut self, field: &Field, texts: impl Iterator<Item = &'t [u8]> + Clone) {
        let lossy: Vec<_> = texts.clone().map(String::from_utf8_lossy).collect();
        self.add_member(field.name, &lossy);
        if texts.clone().any(|text| str::from_utf8(text).is_err()) {
            self.add_base64_member(field, &texts.map(encode_base64).collect::<Vec<_>>());
        }
    }
}

impl<M: SerializeMap> FieldWriter for MapWriter<M> {
    fn write_text(&mut self, field: &'static Field, text: Option<&[u8]>) {
        self.add_member(field.name, &text.map(String::from_utf8_lossy));
        if let Some(text) = text.filter(|text| str::from_utf8(text).is_err()) {
            self.add_base64_member(field, &encode_base64(text));
        }
    }

    fn write_name(&mut self, field: &'static Field, name: &str) {
        self.add_member(field.name, name);
    }

    fn write_number(&mut self, field: &'static Field, number: u64) {
        self.add_member(field.name, &number);
    }

    fn write_boolean(&mut self, field: &'static Field, value: bool) {
        self.add_member(field.name, &value);
    }

    fn write_reports<'r>(
        &mut self,
        field: &'static Field,
        reports: impl Iterator<Item = &'r Report>,
    ) {
        self.add_member(field.name, &reports.map(ReportMap).collect::<Vec<_>>());
    }

    fn write_joins(&mut self, field: &'static Field, joins: &[Join]) {
        self.add_member(field.name, joins);
    }

    fn write_readings(&mut self, field: &'static Field, url: &[u8], others: &[Vec<u8>]) {
        self.add_texts(field, std::iter::once(url).chain(others.iter().map(Vec::as_slice)));
    }

    fn write_texts(&mut self, field: &'static Field, texts: &[Vec<u8>]) {
        self.add_texts(field, texts.iter().map(Vec::as_slice));
    }

    fn write_names(&mut self, field: &'static Field, names: impl Iterator<Item = &'static str>) {
        self.add_member(field.name, &names.collect::<Vec<_>>());
    }

    fn write_message(&mut self, field: &'static Field, message: &Message) {
        self.add_member(field.name, message);
    }

    fn write_page(&mut self, field: &'static Field, page: &Page) {
        self.add_member(field.name, page);
    }
}

/// Serializes a map. `write_fields` adds its members.
fn serialize_map<S: Serializer>(
    serializer: S,
    write_fields: impl FnOnce(&mut MapWriter<S::SerializeMap>),
) -> Result<S::Ok, S::Error> {
    let mut members = MapWriter { map: serializer.serialize_map(None)?, done: Ok(()) };
    write_fields(&mut members);
    members.done?;
    members.map.end()
}

/// A violation or finding that is serialized as a map, with the same fields as in records.
struct ReportMap<'r>(&'r Report);

impl Serialize for ReportMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_map(serializer, |members| super::fields::write_report(self.0, members))
    }
}

impl Serialize for Join {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_map(serializer, |members| self.write_fields(members))
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_map(serializer, |members| self.write_fields(members))
    }
}

impl Serialize for Page {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_map(serializer, |members| self.write_fields(members))
    }
}

/// Serializes the record with the members that [`UrlRecord::write_json`] writes.
impl Serialize for UrlRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_map(serializer, |members| {
            members.add_member("type", "url");
            self.write_fields(members);
        })
    }
}
