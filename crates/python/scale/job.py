"""A Spark job in a separate process: reads units, writes Parquet and measures the processor time.

usage: job.py MASTER UNITS.jsonl OUT.parquet

Prints one line of JSON: rows, executors, and the processor time in seconds of the session's processes (driver, JVM and
workers). Start it as a session leader.
"""

import json
import os
import sys

from pyspark.sql import SparkSession

import urlsift.spark

COLLECTOR = "-XX:+UseSerialGC"


def cpu():
    """Returns the processor time of all processes of this session and of their finished children."""
    ticks = 0
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == os.getsid(0):
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def main():
    master, units, out = sys.argv[1:]
    spark = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        # Write timestamps with a time zone, which other readers support. The default is INT96, which Parquet deprecated.
        .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
        .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "120s")
        # Rows are short-lived, and a concurrent garbage collector takes processor time from the tasks.
        .config("spark.driver.extraJavaOptions", COLLECTOR)
        .config("spark.executor.extraJavaOptions", COLLECTOR)
        .getOrCreate()
    )
    listed = spark.read.json(units)
    count = listed.count()
    # A task of a second would spend a tenth of it on starting.
    records = urlsift.spark.scan_units(listed.repartition(min(count, 16)))
    records.write.options(**urlsift.spark.PARQUET_OPTIONS).parquet(out)
    rows = spark.read.parquet(out).count()
    executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    print(json.dumps({"rows": rows, "executors": executors, "cpu": cpu()}), flush=True)
    spark.stop()


main()
