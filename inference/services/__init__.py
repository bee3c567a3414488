"""Every change in this app. What loads a model is in `working`, which only workers import."""
