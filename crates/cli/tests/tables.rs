//! Tests `scan --format parquet`: which files are written, when they appear, and that their rows
//! are the same as in JSON Lines.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn scan(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_urlsift"))
        .arg("scan")
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Returns the error message of a run that fails.
fn refusal(args: &[&str]) -> String {
    let output = scan(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/cli")), args);
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(not(feature = "parquet"))]
#[test]
fn missing_feature_is_explained() {
    let args = ["list.mbox", "--format", "parquet", "-o", "nowhere"];
    assert_eq!(
        refusal(&args),
        "urlsift: this urlsift was built without Parquet; install it with `cargo install --locked --path \
         crates/cli --features full`, or use --format csv\n"
    );
    assert!(!Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/cli/nowhere")).exists());
}

#[cfg(feature = "parquet")]
mod with_the_feature {
    use super::{refusal, scan};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::RowAccessor as _;
    use serde_json::Value;
    use std::fs::{self, File};
    use std::path::Path;
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;
    use tempfile::tempdir;

    fn corpus() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus"))
    }

    fn reader(directory: &Path, table: &str) -> SerializedFileReader<File> {
        SerializedFileReader::new(File::open(directory.join(table)).unwrap()).unwrap()
    }

    fn rows(directory: &Path, table: &str) -> i64 {
        reader(directory, table).metadata().file_metadata().num_rows()
    }

    fn run(directory: &Path) -> Value {
        serde_json::from_slice(&fs::read(directory.join("run.json")).unwrap()).unwrap()
    }

    /// Returns the texts of a column that are not null.
    fn texts(directory: &Path, table: &str, column: &str) -> Vec<String> {
        let reader = reader(directory, table);
        let schema = reader.metadata().file_metadata().schema_descr();
        let at =
            schema.root_schema().get_fields().iter().position(|it| it.name() == column).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
        rows.filter_map(|row| row.get_string(at).ok().cloned()).collect()
    }

    #[test]
    fn rows_are_what_the_summary_counts() {
        let scratch = tempdir().unwrap();
        let out = scratch.path().to_str().unwrap();
        let output = scan(corpus(), &[".", "--format", "parquet", "-o", out]);
        // The only message says that compressed pages were cut.
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.starts_with("urlsift: 2 pages were ") && told.lines().count() == 1, "{told}");
        assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b""[..]));
        let summary = scan(corpus(), &[".", "--json"]).stdout;
        let summary = summary.trim_ascii().rsplit(|&b| b == b'\n').next().unwrap();
        let summary: Value = serde_json::from_slice(summary).unwrap();
        let run = run(scratch.path());
        assert_eq!(run["complete"], true);
        assert_eq!(run["options"][1], ".");
        for name in ["files", "bytes", "messages", "urls", "malformed", "errors"] {
            assert_eq!(run["counts"][name], summary[name], "{name}");
        }
        assert_eq!(rows(scratch.path(), "urls.parquet"), summary["urls"]);
        let nested = texts(scratch.path(), "messages.parquet", "part").len();
        let messages = rows(scratch.path(), "messages.parquet") - i64::try_from(nested).unwrap();
        assert_eq!(messages, summary["messages"]);
        let members = texts(scratch.path(), "files.parquet", "member").len();
        let files = rows(scratch.path(), "files.parquet") - i64::try_from(members).unwrap();
        assert_eq!(files, summary["files"]);
        let reader = reader(scratch.path(), "files.parquet");
        let (mut bytes, mut urls) = (0, 0);
        for row in reader.get_row_iter(None).unwrap().map(Result::unwrap) {
            bytes += row.get_long(4).unwrap();
            urls += row.get_long(6).unwrap();
        }
        assert_eq!(bytes, summary["bytes"]);
        assert_eq!(urls, summary["urls"]);
    }

    #[test]
    fn unique_urls_are_one_row_each() {
        for option in ["--unique", "--dedupe", "--max-count=2", "--malformed=only"] {
            let scratch = tempdir().unwrap();
            let out = scratch.path().to_str().unwrap();
            scan(corpus(), &[".", "--format", "parquet", "-o", out, option]);
            let lines = scan(corpus(), &[".", "--json", option]).stdout;
            let mut expected = Vec::new();
            for line in lines.trim_ascii().split(|&b| b == b'\n') {
                let record: Value = serde_json::from_slice(line).unwrap();
                expected.extend(record["url"].as_str().map(str::to_owned));
            }
            assert_eq!(texts(scratch.path(), "urls.parquet", "url"), expected, "{option}");
        }
    }

    /// The rows of a large text are compressed by the thread that found them, before they are due
    /// in the output.
    #[test]
    fn rows_are_in_input_order_for_any_number_of_threads() {
        let scratch = tempdir().unwrap();
        let tail = "tail/".repeat(400);
        let urls: Vec<_> = (0..8000).map(|n| format!("http://h{n}.dom/{tail}")).collect();
        fs::write(scratch.path().join("list.txt"), urls.join("\n")).unwrap();
        for (out, threads) in [("one", "-j1"), ("four", "-j4")] {
            scan(scratch.path(), &["list.txt", "--format", "parquet", "-o", out, threads]);
            let found = texts(&scratch.path().join(out), "urls.parquet", "url");
            assert!(found == urls, "{threads}");
        }
    }

    #[test]
    fn columns_in_the_order_that_was_asked_for() {
        let scratch = tempdir().unwrap();
        let out = scratch.path().to_str().unwrap();
        scan(corpus(), &["cli", "--format", "parquet", "-o", out, "--fields", "url,date,path"]);
        let file = File::open(scratch.path().join("urls.parquet")).unwrap();
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let names: Vec<_> = builder.schema().fields().iter().map(|it| it.name().as_str()).collect();
        assert_eq!(names, ["url", "date", "path"]);
        assert_eq!(builder.schema().metadata()["urlsift.schema"], "1");
    }

    #[test]
    fn an_error_is_a_row() {
        let scratch = tempdir().unwrap();
        let out = scratch.path().to_str().unwrap();
        let args = ["cli/list.mbox", "gone", "--format", "parquet", "-o", out];
        let output = scan(corpus(), &args);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "urlsift: gone: no such file or directory; check the path\n"
        );
        assert_eq!(
            texts(scratch.path(), "urls.parquet", "error"),
            ["no such file or directory; check the path"]
        );
        assert_eq!(texts(scratch.path(), "urls.parquet", "url").len(), 4);
        assert_eq!(run(scratch.path())["counts"]["errors"], 1);
    }

    #[test]
    fn copies_are_marked() {
        let scratch = tempdir().unwrap();
        let out = scratch.path().to_str().unwrap();
        let args = ["list.mbox", "list.mbox.gz", "--format", "parquet", "-o", out, "--dedupe"];
        scan(&corpus().join("cli"), &args);
        let copies = texts(scratch.path(), "messages.parquet", "duplicate_of");
        assert_eq!(copies, ["list.mbox:0", "list.mbox:258"]);
    }

    #[test]
    fn incomplete_tables_do_not_appear() {
        let scratch = tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_urlsift"))
            .args(["scan", "-", "--format", "parquet", "-o", "new/tables"])
            .current_dir(scratch.path())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let directory = scratch.path().join("new/tables");
        while !directory.join("run.json").exists() {
            sleep(Duration::from_millis(5));
        }
        assert_eq!(run(&directory)["complete"], false);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(run(&directory)["complete"], false);
        for table in ["urls", "messages", "files"] {
            assert!(!directory.join(table).with_extension("parquet").exists(), "{table}");
        }
    }

    #[test]
    fn own_tables_are_not_read() {
        let scratch = tempdir().unwrap();
        fs::write(scratch.path().join("a.txt"), "http://h.dom/a\n").unwrap();
        let args = [".", "--hidden", "--format", "parquet", "-o", "."];
        for _ in 0..2 {
            assert_eq!(scan(scratch.path(), &args).status.code(), Some(0));
            assert_eq!(texts(scratch.path(), "files.parquet", "path"), ["a.txt"]);
        }
    }

    #[test]
    fn options_without_tables_are_refused() {
        let wanted = "urlsift: the output consists of several files; add -o DIR\n";
        assert_eq!(refusal(&["list.mbox", "--format", "parquet"]), wanted);
        let wanted = "urlsift: an output of several files can't be combined with -c, -l, \
            --files-without-match or -q\n";
        assert_eq!(refusal(&["list.mbox", "--format", "parquet", "-c", "-o", "x"]), wanted);
        let wanted = "urlsift: --unique=count needs --format text, jsonl, csv or tsv, and no --by; use --by url to count URLs\n";
        assert_eq!(
            refusal(&["list.mbox", "--format", "parquet", "--unique=count", "-o", "x"]),
            wanted
        );
        let refused = refusal(&["list.mbox", "--format", "parquet", "-o", "list.mbox"]);
        assert!(
            refused.starts_with(
                "urlsift: --output list.mbox: cannot use it as a directory for tables"
            ),
            "{refused}"
        );
    }
}
