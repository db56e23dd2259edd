//! Converts the tables of [`urlsift_records::table`] to Arrow record batches, for Parquet,
//! `DuckDB`, pandas and Spark.
//!
//! [`Rows`] collects records and returns them as batches with the schema [`schema()`]. Only types
//! that every Arrow reader supports are used: no dictionaries and no unsigned integers. The
//! schema's metadata contains `urlsift.schema=1`.
//!
//! ```
//! use std::ops::ControlFlow;
//! use std::sync::Arc;
//! use arrow_array::cast::AsArray;
//! use urlsift_arrow::Rows;
//! use urlsift_archive::Reading;
//! use urlsift_records::table::Columns;
//! use urlsift_records::{FileName, Options, Scan, Sink, Unit, UrlRecord};
//!
//! struct Batches(Rows);
//!
//! impl Sink for Batches {
//!     fn record(&mut self, record: &UrlRecord<'_>) -> ControlFlow<()> {
//!         self.0.push_url(record);
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! let file = Arc::new(FileName::new("a.txt"));
//! let bytes = b"At <URL:ftp://host.dom/a> there is more.";
//! let mut sink = Batches(Rows::for_urls(&Columns::default()));
//! Scan::new(Options::default()).scan_unit(bytes, &Unit::whole_file(&file, bytes, Reading::Auto), &mut sink);
//! let batch = sink.0.finish().unwrap();
//! assert_eq!(batch.schema().metadata()["urlsift.schema"], "1");
//! assert_eq!(batch.num_rows(), 1);
//! assert_eq!(batch["url"].as_string::<i32>().value(0), "ftp://host.dom/a");
//! ```

mod column_builder;
mod column_numbers;
mod number_builder;
mod rows;
mod schema;
mod text_builder;
mod validity;

pub use crate::rows::Rows;
pub use crate::schema::schema;
pub use arrow_array::RecordBatch;
pub use arrow_schema::{DataType, SchemaRef};
