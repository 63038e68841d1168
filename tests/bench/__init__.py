"""Benchmarks: what is compared is measured in the same run, in turns, so that a busy machine troubles both alike."""
