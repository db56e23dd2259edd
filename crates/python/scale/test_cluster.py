"""Spark as on a cluster: a master, two workers and the job, each in a separate process."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

import pytest

import urlsift

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pyspark = pytest.importorskip("pyspark")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

HOME = pathlib.Path(pyspark.__file__).parent
JOB = pathlib.Path(__file__).with_name("job.py")
ENVIRONMENT = {
    **os.environ,
    "SPARK_HOME": str(HOME),
    "SPARK_LOCAL_IP": "127.0.0.1",
    "PYSPARK_PYTHON": sys.executable,
    "PYSPARK_DRIVER_PYTHON": sys.executable,
}


@pytest.fixture
def master(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    url, started = f"spark://127.0.0.1:{port}", []

    def start(name, *arguments):
        log = open(tmp_path / f"{name}.log", "wb")
        command = [HOME / "bin" / "spark-class", *arguments]
        started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path, env=ENVIRONMENT))

    deploy = "org.apache.spark.deploy"
    start("master", f"{deploy}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        for worker in ("one", "two"):
            options = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", tmp_path / worker]
            start(worker, f"{deploy}.worker.Worker", *options, url)
        yield url
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait(60)


def test_two_workers_give_the_records_of_one_scan(master, tmp_path):
    mailbox = tmp_path / "a.mbox"
    letters = (
        f"From joe@host.dom Thu Dec  1 10:00:00 1994\nMessage-ID: <{n}@host.dom>\n\nhttp://host{n % 7}.dom/{n}\n" for n in range(9000)
    )
    mailbox.write_text("".join(letters))
    units = urlsift.units(str(mailbox), size=30_000)
    assert len(units) > 8
    listed, out = tmp_path / "units.jsonl", tmp_path / "out"
    listed.write_text("".join(json.dumps(unit) + "\n" for unit in units))
    environment = {**ENVIRONMENT, "PYSPARK_SUBMIT_ARGS": "--conf spark.executor.memory=600m --conf spark.cores.max=2 pyspark-shell"}
    job = [sys.executable, JOB, master, listed, out]
    done = subprocess.run(job, capture_output=True, text=True, env=environment, start_new_session=True, timeout=900)
    assert done.returncode == 0, done.stderr[-4000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["executors"] == 2
    expected = pyarrow.record_batch(urlsift.Scanner().scan_batch(mailbox.read_bytes(), name=str(mailbox))).to_pylist()
    found = parquet.read_table(out).sort_by("start").to_pylist()
    assert told["rows"] == len(found) == len(expected)
    assert [(row["start"], row["url"], row["message_id"]) for row in found] == [
        (row["start"], row["url"], row["message_id"]) for row in expected
    ]
