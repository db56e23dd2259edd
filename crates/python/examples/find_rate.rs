//! Measures how long the scanner takes for a text, for comparison in `find_rate.py`. `find_rate
//! FILE THREADS` prints the seconds and the number of valid URLs. Each thread scans the whole text.

use std::hint::black_box;
use std::time::Instant;
use urlsift_core::Profile;
use urlsift_scanner::Scanner;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(threads)) = (arguments.next(), arguments.next()) else {
        return Err("usage: find_rate FILE THREADS".into());
    };
    let (text, threads) = (std::fs::read(path)?, threads.parse::<usize>()?);
    let scanner = Scanner::builder().build();
    let read = || {
        let mut count = 0;
        let mut found = scanner.find_iter(&text);
        while let Some(candidate) = found.advance() {
            if candidate.is_valid(Profile::Web) {
                black_box((candidate.url(), candidate.span()));
                count += 1;
            }
        }
        count
    };
    read();
    let begin = Instant::now();
    let mut count = 0;
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(read)).collect();
        count = running.into_iter().filter_map(|thread| thread.join().ok()).sum();
    });
    #[expect(clippy::print_stdout, reason = "what it is for")]
    {
        println!("{} {count}", begin.elapsed().as_secs_f64());
    }
    Ok(())
}
