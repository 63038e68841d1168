"""What an owner installs: the wheel, the Debian package, the service, and what helps when something is wrong."""
