"""A Debian with our package in a virtual machine: a real kernel, a real USB stack, real systemd and udev."""
