"""People of a paid panel, such as Prolific, who join by a link with an id of the panel's."""
