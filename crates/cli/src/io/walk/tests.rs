use super::*;

fn walk(root: &Path, change: impl FnOnce(&mut PathArgs)) -> Vec<String> {
    let mut args = PathArgs { paths: vec![root.to_owned()], ..PathArgs::default() };
    change(&mut args);
    Walk::new(&args, &Inputs::new(&args).unwrap())
        .unwrap()
        .map(|found| match found {
            WalkItem::File { path, listed: Some(_) } => {
                path.strip_prefix(root).unwrap().to_string_lossy().into_owned()
            }
            other => format!("{other:?}"),
        })
        .collect()
}

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[test]
fn order_is_by_name_and_articles_by_number() {
    let root = tree(&[("b/10", ""), ("b/9", ""), ("b/x", ""), ("a.txt", ""), ("b/100", "")]);
    assert_eq!(walk(root.path(), |_| {}), ["a.txt", "b/9", "b/10", "b/100", "b/x"]);
    // With the order 9 < 10 < 1a < 9, sorting could panic.
    let root = tree(&[("9", ""), ("10", ""), ("1a", ""), ("-", "")]);
    assert_eq!(walk(root.path(), |_| {}), ["9", "10", "-", "1a"]);
    let root = tree(&[("b/10", ""), ("b/9", ""), ("b/x", ""), ("a.txt", ""), ("b/100", "")]);
    let sorted = walk(root.path(), |args| args.sort = SortBy::Path);
    assert_eq!(sorted, ["a.txt", "b/10", "b/100", "b/9", "b/x"]);
}

#[test]
fn hidden_and_ignored_files_are_skipped_except_mail() {
    let root = tree(&[
        (".ignore", "*.log\ntmp\n[0-9]*\n"),
        (".hidden", ""),
        (".dir/x", ""),
        ("a.log", ""),
        ("tmp/y", ""),
        ("b.txt", ""),
        ("Mail/cur/.1:2,S", ""),
        ("Mail/new/2.log", ""),
        ("Mail/tmp/3", ""),
        ("Mail/.Sent/cur/4", ""),
        ("Mail/.Sent/new/.keep", ""),
        ("group/12345", ""),
        ("group/12345.txt", ""),
    ]);
    let kept = [
        "Mail/.Sent/cur/4",
        "Mail/.Sent/new/.keep",
        "Mail/cur/.1:2,S",
        "Mail/new/2.log",
        "Mail/tmp/3",
        "b.txt",
        "group/12345",
    ];
    assert_eq!(walk(root.path(), |_| {}), kept);
    let hidden = walk(root.path(), |args| args.hidden = true);
    assert!(hidden.contains(&".hidden".to_owned()) && hidden.contains(&".dir/x".to_owned()));
    let all = walk(root.path(), |args| args.no_ignore = true);
    assert!(all.contains(&"a.log".to_owned()) && all.contains(&"tmp/y".to_owned()));
}

#[test]
fn gitignore_applies_only_in_a_repository() {
    let root = tree(&[(".gitignore", "x\n"), ("x", ""), ("y", "")]);
    assert_eq!(walk(root.path(), |_| {}), ["x", "y"]);
    fs::create_dir(root.path().join(".git")).unwrap();
    assert_eq!(walk(root.path(), |_| {}), ["y"]);
}

#[test]
fn globs_override_ignore_rules() {
    let root = tree(&[(".a.txt", ""), ("b.txt", ""), ("c.md", "")]);
    let only = walk(root.path(), |args| args.glob = vec!["*.txt".into()]);
    assert_eq!(only, [".a.txt", "b.txt"]);
    let without = walk(root.path(), |args| args.glob = vec!["!*.txt".into()]);
    assert_eq!(without, ["c.md"]);
}

#[test]
fn missing_path_is_an_error() {
    let found = walk(Path::new("/nonexistent/path"), |_| {});
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("check the path"), "{found:?}");
}
