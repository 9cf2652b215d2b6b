"""What an instructor runs. Students never see it: it is not in the wheel they install."""

import sys

# Reading notebooks imports jsonschema, which would build 38 parsers of web addresses if it found
# this package: over a second at the start of every command, for a check that no notebook uses.
# None tells Python that there is no such module.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
