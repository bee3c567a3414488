"""What an encoder does with texts that are longer than it reads."""

CUT = "cut"
WINDOWS = "windows"
LONG_TEXTS = (CUT, WINDOWS)
