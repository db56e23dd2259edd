import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def corpus():
    """Returns the folder of test data that all crates share."""
    return ROOT / "corpus"


def built(variable, path):
    path = os.environ.get(variable) or ROOT / "target/debug" / path
    if not os.path.exists(path):
        pytest.skip(f"{os.path.basename(path)} is not built: set {variable}")
    return str(path)


@pytest.fixture(scope="session")
def command():
    """Returns the path of the command, given by the environment."""
    return built("URLSIFT", "urlsift")


@pytest.fixture(scope="session")
def records():
    """Returns the path of the example of the crate records that prints records as Rust returns them."""
    return built("URLSIFT_RECORDS", "examples/records")
