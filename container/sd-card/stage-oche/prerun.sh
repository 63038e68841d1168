#!/bin/bash -e
# Begins with what the stage before has made: Raspberry Pi OS Lite.
[ -d "${ROOTFS_DIR}" ] || copy_previous
