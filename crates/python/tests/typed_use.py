"""A program that uses the annotations. It is not run: mypy and pyright check it in their strict modes."""

import pickle

import urlsift
from urlsift import Options


def hosts(text: str) -> list[str]:
    return [found.host for found in urlsift.find(text, form="+schemeless") if found.host is not None]


def dates(path: str) -> dict[str, str | None]:
    return {record.url: record.message.date if record.message else None for record in urlsift.scan(path, profile="web")}


def lists(path: str) -> set[str]:
    return {record.message.list for record in urlsift.scan(path) if record.message and record.message.list is not None}


def links(text: bytes, options: Options) -> list[tuple[int, int, str]]:
    return [(found.start, found.end, found.href) for found in urlsift.Scanner(**options).find(text)]


def copies(text: str) -> list[urlsift.Match]:
    copied: list[urlsift.Match] = pickle.loads(pickle.dumps(list(urlsift.find(text))))
    return copied


def faults(text: str) -> list[str]:
    parsed = urlsift.parse(text, profile="rfc1738")
    return [f"{fault.code}, {fault.rfc} {fault.section}: {fault.message}" for fault in parsed.violations]
