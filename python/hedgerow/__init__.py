"""Anonymize tables, and measure what is lost and what is still at risk.

>>> import hedgerow
>>> table = hedgerow.frame({"age": [23, 25, 41, 44], "ill": ["flu", "cold", "flu", "gout"]})
>>> release = hedgerow.anonymize(table, quasi=["age"], k=2, sensitive=["ill"])
>>> release.summary.classes
2
"""

from hedgerow._hedgerow import ArrowTable, __version__
from hedgerow.applying import apply
from hedgerow.comparing import compare
from hedgerow.errors import (
    BadColumn,
    BadParameter,
    BadValue,
    Cancelled,
    Error,
    FileError,
    HedgerowWarning,
    InternalError,
    Invalid,
    MethodError,
    MixedTypes,
    NotInHierarchy,
    SyntaxProblem,
    Undecided,
    Unfit,
    UnknownColumn,
    UnknownName,
    Unreachable,
)
from hedgerow.frames import frame
from hedgerow.functions import (
    anonymize,
    attack,
    inspect,
    measure,
    risk,
    verify,
)
from hedgerow.hierarchy import Hierarchy, Node
from hedgerow.release import (
    Applied,
    Assessment,
    Comparison,
    Evidence,
    FileApplied,
    FileRelease,
    Inspection,
    Measurement,
    Release,
    Report,
    Result,
    Verification,
)

__all__ = [
    "Applied",
    "ArrowTable",
    "Assessment",
    "BadColumn",
    "BadParameter",
    "BadValue",
    "Cancelled",
    "Comparison",
    "Error",
    "Evidence",
    "FileApplied",
    "FileError",
    "FileRelease",
    "HedgerowWarning",
    "Hierarchy",
    "Inspection",
    "InternalError",
    "Invalid",
    "Measurement",
    "MethodError",
    "MixedTypes",
    "Node",
    "NotInHierarchy",
    "Release",
    "Report",
    "Result",
    "SyntaxProblem",
    "Undecided",
    "Unfit",
    "UnknownColumn",
    "UnknownName",
    "Unreachable",
    "Verification",
    "__version__",
    "anonymize",
    "apply",
    "attack",
    "compare",
    "frame",
    "inspect",
    "measure",
    "risk",
    "verify",
]
