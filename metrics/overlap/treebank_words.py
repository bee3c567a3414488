"""The words that the Penn Treebank's tokenizer knows: abbreviations, file endings, and words that
begin a sentence after an abbreviation. The patterns ignore case unless a letter is written
`(?-i:A)`, because "Ill." is a state and "ill." is not.
"""

from __future__ import annotations

# These keep their period; a capital letter after them begins a sentence.
CLOSING = (
    "jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|tues|wed|thu|thurs|fri|"
    "ala|ariz|(?-i:A)z|(?-i:A)rk|calif|colo|conn|ct|dak|(?-i:D)el|fla|ga|(?-i:I)ll|ind|kans?|ky|"
    "(?-i:L)a|(?-i:M)ass|md|mich|minn|(?-i:M)iss|mo|mont|neb|nev|okla|(?-i:O)re|(?-i:P)a|penn|tenn|"
    "(?-i:T)ex|va|vt|(?-i:W)ash|wisc?|wyo|inc|cos?|corp|pt(?-i:[ye])s?|ltd|plc|rt|bancorp|bhd|assn|"
    r"univ|intl|sys|tel|est|ext|sq|jr|sr|bros|(?:ed|ph)\.d|blvd|rd|esq|etc|al|seq|bldg"
)
# These always keep their period.
LEADING = (
    "mr|mrs|ms|drs?|profs?|sens?|reps?|attys?|lt|col|gen|messrs|govs?|adm|rev|maj|sgt|cpl|pvt|capt|"
    "ste?|ave|pres|lieut|hon|brig|co?mdr|pfc|spc|supts?|det|mt|ft|adj|adv|asst|assoc|ens|insp|mlle|"
    "mme|msgr|sfc|invt|elec|natl|m(?-i:[ft])g|dept|wm|jos|cie|cf|treas|ph|vs|alex"
)
BEFORE_NUMBERS = "ca|figs?|prop|nos?|art|pp|op"
# fmt: off
STARTERS = (
    "A", "About", "According", "Additionally", "After", "An", "Another", "As", "At", "But",
    "Earlier", "He", "Her", "Here", "However", "If", "In", "It", "Last", "Many", "More", "Mr.",
    "Ms.", "Now", "Once", "One", "Other", "Our", "She", "Since", "So", "Some", "Such", "That",
    "The", "Their", "Then", "There", "These", "They", "This", "We", "When", "While", "What",
    "Yet", "You",
)
# fmt: on
FILE_ENDINGS = (
    "bat|bmp|c|class|cgi|cpp|dll|doc|docx|exe|gif|gz|h|htm|html|jar|java|jpeg|jpg|mov|mp3|pdf|php|"
    "pl|png|ppt|ps|py|sql|tar|txt|wav|x|xml|zip|wmv"
)
