//! The search of a job: the release of its result, and its distance from the optimum.

use super::Job;
use crate::Result;
use crate::anonymize::Solved;
use crate::certificate::{Certificate, Certified};
use crate::error::Advice;
use crate::method::Spec;
use crate::progress::Progress;
use crate::release::{Release, Style};
use crate::study::Study;

/// The result of a search.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) solved: Solved,
    /// The cells that each class publishes.
    pub(super) release: Release,
    /// The distance from the optimum, if the job asks for it.
    pub(super) certified: Option<Certified>,
}

/// Runs the method of a job. If a certificate is requested that cannot be made, this is an error
/// before the search.
pub(super) fn search(
    job: &Job,
    method: &Spec,
    study: &Study,
    progress: &dyn Progress,
) -> Result<Searched> {
    if job.certificate {
        let leave_out = Advice::LeaveOut { key: "certificate", column: None };
        Certificate::check(study.problem()).map_err(|error| error.advise([leave_out]))?;
    }
    let solved = study.search(method, job.time, progress)?;
    let certified = job.certificate.then(|| study.certify(&solved, progress)).transpose()?;
    let style = Style { intervals: job.interval_style };
    let release = Release::new(&solved.recoding, &style, progress)?;
    Ok(Searched { solved, release, certified })
}
