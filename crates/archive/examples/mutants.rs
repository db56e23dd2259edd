//! Reads damaged copies of files, and prints the slowest copy of each file and the peak memory of
//! the process. A panic or an endless loop is a bug, because a single hostile attachment would then
//! end the scan of an archive.
//!
//! The number of a copy is the seed of its faults, so every run reads the same copies of a file. If
//! a copy causes a panic, its number is printed.
//!
//! ```sh
//! cargo run --release -p urlsift-archive --features msg,pdf --example mutants -- 1000 corpus/packed/*.*
//! ```

use std::cell::Cell;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};
use urlsift_archive::{Container, Head, Options, Reading, detect, documents};

thread_local! {
    /// The number of the copy that is being read.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// A generator of pseudorandom numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Returns a number less than `len`, or 0 if `len` is 0.
    fn below(&mut self, len: usize) -> usize {
        usize::try_from(self.next() % (len as u64).max(1)).unwrap_or(0)
    }
}

/// Returns a damaged copy of `raw`. It has between one and eight faults.
fn mutant(raw: &[u8], number: u64) -> Vec<u8> {
    let mut random = Random(number);
    let mut bytes = raw.to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(64)).min(bytes.len());
        match random.below(8) {
            0 if random.below(4) == 0 => bytes.truncate(at),
            0 | 1 => bytes[at..end].fill([0, 0x7F, 0xFF][random.below(3)]),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copied = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copied);
            }
            // Counts, lengths and references in both formats are digits or small integers.
            4 => {
                for byte in &mut bytes[at..end] {
                    if byte.is_ascii_digit() {
                        *byte = b'0' + u8::try_from(random.below(10)).unwrap_or(0);
                    }
                }
            }
            5 => {
                let value = [0_u32, 1, 0x7FFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFF][random.below(5)];
                let at = at & !3;
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
            }
            6 => bytes[at] ^= 1 << random.below(8),
            _ => bytes[at] = u8::try_from(random.below(256)).unwrap_or(0),
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Reads a file, and returns the length of its texts and the time.
fn read(bytes: &[u8], container: Container) -> (usize, Duration) {
    let start = Instant::now();
    let mut len = 0;
    documents(bytes, container, 0, &Options::default(), &mut |document| {
        len += document.text.len();
        ControlFlow::Continue(())
    });
    (len, start.elapsed())
}

/// Returns the peak memory of the process in kibibytes, where the system says it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let mut args = std::env::args_os().skip(1);
    let count = args.next().and_then(|count| count.to_str()?.parse::<u64>().ok());
    let count = count.ok_or("usage: mutants COUNT FILE...")?;
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let _ = writeln!(std::io::stderr(), "copy {}:", NUMBER.get());
        report(panic);
    }));
    for path in args {
        let raw = std::fs::read(&path)?;
        let name = Path::new(&path).file_name().map(|name| name.as_encoded_bytes().to_vec());
        let container = detect(Head::of(&raw), name.as_deref(), Reading::Auto);
        let (len, time) = read(&raw, container);
        write!(out, "{}: {container:?}, {} bytes, ", path.display(), raw.len())?;
        writeln!(out, "{len} bytes of text in {time:.0?}")?;
        let (mut slowest, mut longest) = ((Duration::ZERO, 0), (0, 0));
        for number in 0..count {
            NUMBER.set(number);
            let (len, time) = read(&mutant(&raw, number), container);
            slowest = slowest.max((time, number));
            longest = longest.max((len, number));
        }
        let ((time, slow), (len, long)) = (slowest, longest);
        write!(out, "  {count} copies; slowest: {time:.0?} (copy {slow}); ")?;
        write!(out, "longest text: {len} bytes (copy {long}); ")?;
        let peak = peak_memory().map_or_else(|| "unknown".to_owned(), |kib| format!("{kib} KiB"));
        writeln!(out, "peak memory of the process so far: {peak}")?;
    }
    Ok(())
}
