"""The commands of `oche` besides `oche run`, and the first run."""
