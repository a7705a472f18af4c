//! Job files.

#![no_main]

use hedgerow::job::{self, Job};
use hedgerow::progress::Silent;
use hedgerow_fuzz::file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut job) = Job::from_file(&file("job.toml", bytes)) else { return };
    // The job runs on one small table, and never reads or writes the paths in the input.
    job.input = file("t.csv", b"age,job,day\n1,a,2024-01-02\n1,b,2024-01-03\n2,a,2024-02-02\n");
    job.output = job.input.with_file_name("out.csv");
    (job.population, job.trace, job.classes) = (None, None, None);
    (job.recipe, job.force) = (None, true);
    job.hierarchy.retain(|_, spec| spec.parameters.is_empty() && spec.name != "file");
    job.privacy.retain(|spec| spec.parameters.is_empty());
    job.method.parameters = Default::default();
    job.threads = job.threads.min(2);
    let _ = job::run(&job, &Silent);
});
