//! The members of tar and zip archives, from front to end.

use super::decompress::{Compression, Limits};
use super::walk::explain;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;

/// A member that is a file: its name, and its contents or why they cannot be had.
pub(crate) type Member<'m> = (&'m [u8], Result<&'m mut dyn Read, String>);

/// Hands each member that is a file to `visit`, until that breaks. `file` is the archive if it can be read at
/// any place: a zip archive is read by its directory then.
///
/// # Errors
///
/// Why not all members could be visited, for people.
pub(crate) fn visit_members(
    kind: Compression,
    stream: &mut dyn Read,
    file: Option<File>,
    limits: Limits,
    visit: &mut dyn FnMut(Member<'_>) -> ControlFlow<()>,
) -> Result<(), String> {
    match (kind, file) {
        (Compression::Zip, Some(file)) => visit_zip(file, stream, limits, visit),
        (Compression::Zip, None) => visit_zip_stream(stream, 0, limits, visit),
        _ => visit_tar(stream, visit),
    }
}

fn visit_tar(
    stream: &mut dyn Read,
    visit: &mut dyn FnMut(Member<'_>) -> ControlFlow<()>,
) -> Result<(), String> {
    let mut archive = tar::Archive::new(stream);
    for entry in archive.entries().map_err(|error| explain(&error))? {
        let mut entry = entry.map_err(|error| explain(&error))?;
        if entry.header().entry_type().is_file() {
            let name = entry.path_bytes().into_owned();
            if visit((&name, Ok(&mut entry))).is_break() {
                break;
            }
        }
    }
    Ok(())
}

/// A zip file by its directory at the end; where that is lost, from front to end.
fn visit_zip(
    file: File,
    stream: &mut dyn Read,
    limits: Limits,
    visit: &mut dyn FnMut(Member<'_>) -> ControlFlow<()>,
) -> Result<(), String> {
    let len = file.metadata().map_or(0, |meta| meta.len());
    let Ok(mut archive) = zip::ZipArchive::new(BufReader::new(file)) else {
        visit_zip_stream(stream, len, limits, visit)?;
        return Err("the zip archive's directory is damaged; its members were read as far as \
                    they go"
            .to_owned());
    };
    let spent = AtomicU64::new(0);
    for index in 0..archive.len() {
        let listed = match archive.name_for_index(index) {
            Some(Ok(name)) => name.into_owned(),
            _ => format!("member {}", index + 1),
        };
        let flow = match archive.by_index(index) {
            Ok(file) if !file.is_file() => continue,
            Ok(file) => {
                let name = file.name_raw().to_vec();
                visit((&name, Ok(&mut limits.member(file, len, &spent))))
            }
            Err(error) => {
                let message = format!("this member cannot be unpacked: {error}");
                visit((listed.as_bytes(), Err(message)))
            }
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

fn visit_zip_stream(
    mut stream: &mut dyn Read,
    len: u64,
    limits: Limits,
    visit: &mut dyn FnMut(Member<'_>) -> ControlFlow<()>,
) -> Result<(), String> {
    let spent = AtomicU64::new(0);
    loop {
        let file = zip::read::read_zipfile_from_stream(&mut stream)
            .map_err(|error| format!("the zip archive cannot be read on: {error}"))?;
        let Some(file) = file else { return Ok(()) };
        if file.is_file() {
            let name = file.name_raw().to_vec();
            if visit((&name, Ok(&mut limits.member(file, len, &spent)))).is_break() {
                return Ok(());
            }
        }
    }
}
