"""Where the material beside the project is: the folder `../shared`, or the one that `SYMEXEC_SHARED` names."""

from __future__ import annotations

import os
from pathlib import Path

SHARED = Path(os.environ.get("SYMEXEC_SHARED") or Path(__file__).parents[3] / "shared")
NOT_THERE = "the folder ../shared is not beside the project"
