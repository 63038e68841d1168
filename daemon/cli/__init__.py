"""The commands of `oche`, but for `run`, `setup`, `learn`, `doctor` and `show`, which have rooms of their own."""
