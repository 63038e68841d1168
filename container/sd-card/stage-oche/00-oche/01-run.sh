#!/bin/bash -e
# Installs the package of oche from files/, and what sets it up on the television at the first start.
# shellcheck source=/dev/null
. "${ROOTFS_DIR}/etc/os-release"
arch="$(on_chroot <<<'dpkg --print-architecture')"
packages=(files/oche_*+deb"${VERSION_ID}_${arch}".deb)
if [ ! -f "${packages[0]}" ] || [ ${#packages[@]} -ne 1 ]; then
    echo "Put the one package of oche for Debian ${VERSION_ID} on ${arch} into ${PWD}/files." >&2
    exit 1
fi
install -m 644 "${packages[0]}" "${ROOTFS_DIR}/tmp/oche.deb"
install -m 644 files/oche-first-start.service "${ROOTFS_DIR}/etc/systemd/system/"
on_chroot <<'END'
DEBIAN_FRONTEND=noninteractive apt-get install -y /tmp/oche.deb
systemctl enable oche.service oche-first-start.service
END
rm "${ROOTFS_DIR}/tmp/oche.deb"
