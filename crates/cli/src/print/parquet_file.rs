//! Writes a Parquet file. Workers can compress row groups of their outputs before it is the
//! outputs' turn to be written.

use crate::io::inputs::Inputs;
use crate::io::output::Output;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::Result;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use urlsift_arrow::{DataType, RecordBatch, Rows, SchemaRef};

/// The number of rows in a row group: as many as `DuckDB` reads at once. While a row group is being
/// written, it is kept in memory compressed.
const GROUP: usize = 122_880;
/// Text columns with almost no repeated values, for which a dictionary would be useless. They use
/// the plain encoding. `DELTA_LENGTH_BYTE_ARRAY` would take a few percent less time to write, but
/// Spark 3.4 and 3.5 fail on many such columns.
const DISTINCT: [&str; 4] = ["url", "normalized", "message_id", "in_reply_to"];
/// Text columns whose values are in random order, or that have a few values which occur in every
/// row group. Their minimum and maximum would not help readers to skip row groups, so no statistics
/// are written for them.
const UNORDERED: [&str; 14] = [
    "url",
    "normalized",
    "host",
    "domain",
    "message_id",
    "in_reply_to",
    "from_domain",
    "from_hash",
    "form",
    "scheme",
    "profile",
    "tld",
    "place",
    "date_source",
];

/// A Parquet file that is being written, one row group at a time.
pub(super) struct ParquetFile {
    output: Output,
    writer: SerializedFileWriter<Box<dyn Write + Send>>,
    groups: Groups,
}

impl ParquetFile {
    /// Creates the Parquet file for the table of `rows`. Fails if the file is one of `inputs`.
    pub(super) fn new(path: &Path, rows: &Rows, inputs: &Inputs) -> anyhow::Result<Self> {
        let output = Output::new(Some(path), inputs)?;
        let (writer, groups) = start_parquet_file(output.writer()?, rows.schema())?;
        Ok(Self { output, writer, groups })
    }

    /// Appends a batch of rows. Complete row groups are compressed and written.
    pub(super) fn write_batch(&mut self, batch: &RecordBatch) -> Result<()> {
        for group in self.groups.add_batch(batch)? {
            self.write_row_group(group)?;
        }
        Ok(())
    }

    /// Moves all rows from the buffer `rows` to the file.
    pub(super) fn write_buffered_rows(&mut self, rows: &mut Rows) -> Result<()> {
        self.write_batch(&rows.finish()?)
    }

    /// Appends a row group that a [`Packer`] has already compressed. The rows added before it are
    /// written as a row group of their own.
    pub(super) fn write_compressed_group(&mut self, group: Packed) -> Result<()> {
        self.finish_row_group()?;
        self.write_row_group(group)
    }

    /// Writes a compressed row group to the file.
    fn write_row_group(&mut self, group: Packed) -> Result<()> {
        let mut columns = self.writer.next_row_group()?;
        for chunk in group.0 {
            chunk.append_to_row_group(&mut columns)?;
        }
        columns.close().map(drop)
    }

    /// Compresses and writes the rows added so far as a row group, even if it is smaller than
    /// usual.
    fn finish_row_group(&mut self) -> Result<()> {
        match self.groups.finish_group()? {
            Some(group) => self.write_row_group(group),
            None => Ok(()),
        }
    }

    /// Completes the file and renames it to its final name. If `is_durable` is true, flushes it to
    /// disk first, because a state file will list it.
    pub(super) fn finish_file(mut self, is_durable: bool) -> anyhow::Result<()> {
        self.finish_row_group()?;
        self.writer.into_inner()?.flush()?;
        if is_durable {
            self.output.sync_and_rename_to_final_name()
        } else {
            self.output.rename_to_final_name()
        }
    }
}

/// A compressor of the rows in a worker's output, which makes row groups from them before it is the
/// output's turn to be written.
pub(crate) struct Packer {
    /// The current, incomplete row group.
    groups: Groups,
    /// The complete row groups.
    packed: Vec<Packed>,
}

impl fmt::Debug for Packer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packer").finish_non_exhaustive()
    }
}

impl Packer {
    pub(super) fn new(rows: &Rows) -> Result<Self> {
        let (_, groups) = start_parquet_file(io::sink(), rows.schema())?;
        Ok(Self { groups, packed: Vec::new() })
    }

    /// Adds a batch of rows. Row groups that become complete are compressed.
    pub(super) fn add_batch(&mut self, batch: &RecordBatch) -> Result<()> {
        self.packed.extend(self.groups.add_batch(batch)?);
        Ok(())
    }

    /// Compresses the remaining rows as the last row group.
    pub(super) fn finish_last_group(&mut self) -> Result<()> {
        self.packed.extend(self.groups.finish_group()?);
        Ok(())
    }

    /// Returns the approximate memory in use, in bytes.
    pub(super) fn memory_size(&self) -> usize {
        let making = self.groups.current.iter().flat_map(|group| &group.columns);
        let packed = self.packed.iter().flat_map(|group| &group.0);
        let bytes = packed.map(|chunk| chunk.close().bytes_written).sum::<u64>();
        making.map(ArrowColumnWriter::memory_size).sum::<usize>()
            + usize::try_from(bytes).unwrap_or(usize::MAX / 2)
    }

    /// Returns the compressed row groups. Call [`Packer::finish_last_group`] first.
    pub(super) fn into_row_groups(self) -> Vec<Packed> {
        self.packed
    }
}

/// A compressed row group, which can be written to any Parquet file with the same columns.
pub(crate) struct Packed(Vec<ArrowColumnChunk>);

/// A compressor that divides rows into row groups of equal size.
struct Groups {
    factory: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    /// The incomplete row group, if it has rows.
    current: Option<Group>,
}

impl Groups {
    /// Adds a batch of rows. Returns the compressed row groups that are complete.
    fn add_batch(&mut self, batch: &RecordBatch) -> Result<Vec<Packed>> {
        let mut full = Vec::new();
        let mut at = 0;
        while at < batch.num_rows() {
            let group = match &mut self.current {
                Some(group) => group,
                None => self.current.insert(Group::new(&self.factory)?),
            };
            let some = (batch.num_rows() - at).min(GROUP - group.rows);
            group.add_batch(&self.schema, &batch.slice(at, some))?;
            at += some;
            if group.rows == GROUP {
                full.extend(self.finish_group()?);
            }
        }
        Ok(full)
    }

    /// Ends the current row group and returns it compressed. Returns `None` if it has no rows.
    fn finish_group(&mut self) -> Result<Option<Packed>> {
        self.current.take().map(Group::into_compressed).transpose()
    }
}

/// A row group that is being filled. Rows are compressed as they are added.
struct Group {
    columns: Vec<ArrowColumnWriter>,
    rows: usize,
}

impl Group {
    fn new(factory: &ArrowRowGroupWriterFactory) -> Result<Self> {
        // The number of the group matters only for encryption.
        Ok(Self { columns: factory.create_column_writers(0)?, rows: 0 })
    }

    /// Adds a batch of rows to the row group.
    fn add_batch(&mut self, schema: &SchemaRef, batch: &RecordBatch) -> Result<()> {
        let mut columns = self.columns.iter_mut();
        for (field, cells) in schema.fields().iter().zip(batch.columns()) {
            // A column of lists of structs is several columns in the file.
            for leaf in compute_leaves(field, cells)? {
                if let Some(column) = columns.next() {
                    column.write(&leaf)?;
                }
            }
        }
        self.rows += batch.num_rows();
        Ok(())
    }

    /// Completes the row group and returns its compressed form.
    fn into_compressed(self) -> Result<Packed> {
        self.columns.into_iter().map(ArrowColumnWriter::close).collect::<Result<_>>().map(Packed)
    }
}

/// Starts a Parquet file with the columns of `schema`. Returns the writer of the file, and an
/// object that divides rows into compressed row groups.
fn start_parquet_file<W: Write + Send>(
    out: W,
    schema: &SchemaRef,
) -> Result<(SerializedFileWriter<W>, Groups)> {
    let mut properties = WriterProperties::builder()
        // Version 2 pages are compressed in place; version 1 pages are copied first.
        .set_writer_version(WriterVersion::PARQUET_2_0)
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for column in DISTINCT {
        properties = properties
            .set_column_dictionary_enabled(column.into(), false)
            .set_column_encoding(column.into(), Encoding::PLAIN);
    }
    for field in schema.fields() {
        let column = || ColumnPath::from(field.name().as_str());
        if matches!(field.data_type(), DataType::Int64 | DataType::Timestamp(..)) {
            // Consecutive values differ by little, so delta encoding is the smallest.
            properties = properties
                .set_column_dictionary_enabled(column(), false)
                .set_column_encoding(column(), Encoding::DELTA_BINARY_PACKED);
        }
    }
    for column in UNORDERED {
        properties =
            properties.set_column_statistics_enabled(column.into(), EnabledStatistics::None);
    }
    let schema = Arc::clone(schema);
    let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties.build()))?;
    let (writer, factory) = writer.into_serialized_writer()?;
    Ok((writer, Groups { factory, schema, current: None }))
}
