//! The search of a job, and how near the optimum its result is.

use super::Job;
use crate::Result;
use crate::anonymize::Solved;
use crate::certificate::{Certificate, Certified};
use crate::error::Advice;
use crate::method::Spec;
use crate::progress::Progress;
use crate::study::Study;

/// The result of a search.
pub(super) struct Searched {
    pub(super) solved: Solved,
    /// How near the optimum it is, if the job asks for that.
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
    Ok(Searched { solved, certified })
}
