# SPDX-License-Identifier: Apache-2.0
#
# The daemon in a small image: make image. After a plain docker build, files are dated 1970; and docker without BuildKit needs the directory
# .build/image first, which may be empty.
#
#   docker run --rm -p 127.0.0.1:8787:8787 brightnessd
#
# In the container's own network the daemon listens on all addresses, and reading needs no token. Writing does: mount a token
# file and name it with BRIGHTNESSD_TOKEN_FILE, or set BRIGHTNESSD_ANONYMOUS=write where every client that reaches the port may write.
# `-p 127.0.0.1:...` keeps the port on this machine.

# The stage that has the programs: `build` compiles them here. `unpacked` has those of .build/image, which make image ARCH=arm64 takes from
# packages that were cross-built.
ARG PROGRAMS=build

# Names of images are whole: podman and buildah on Debian search no registry for a short one.
#
# There is no Swift image of Debian 13. The toolchain for Debian 12 runs there.
FROM docker.io/library/swift:6.3-bookworm AS toolchain

FROM docker.io/library/debian:13-slim AS build
COPY --from=toolchain /usr/ /opt/swift/usr/
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/swift/usr/bin
ENV BRIGHTNESSD_TESTS=no
WORKDIR /src

# The parts that change least come first: Debian packages, then the Swift packages.
COPY Package.swift Makefile ./
COPY scripts/setup scripts/setup
RUN scripts/setup run && swift package resolve

COPY openapi.yaml asyncapi.yaml ./
COPY Sources Sources
# The Swift runtime becomes part of the programs, without its symbols. The C libraries below stay shared.
RUN make build \
    && install -s -D .build/release/brightnessd /image/usr/bin/brightnessd \
    && ln -s brightnessd /image/usr/bin/brightness \
    && install -s -D .build/release/brightness-ddc /image/usr/libexec/brightness-ddc

FROM scratch AS unpacked
COPY .build/image /image/

FROM ${PROGRAMS} AS programs

# The root of the image: scripts/package/image-root takes from this Debian what the programs load, and no shell.
FROM docker.io/library/debian:13-slim AS root
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcurl4t64 libddcutil5 libhogweed6t64 libjansson4 libmicrohttpd12t64 libmosquitto1 libnettle8t64 libsqlite3-0 libsystemd0 libudev1 libwslay1 tzdata zlib1g \
    && groupadd --gid 8787 brightnessd \
    && useradd --uid 8787 --gid 8787 --no-create-home --home-dir /var/lib/brightnessd --shell /usr/sbin/nologin brightnessd \
    && install -d -o brightnessd -g brightnessd -m 0750 /var/lib/brightnessd
COPY LICENSE debian/copyright /usr/share/doc/brightnessd/
COPY --from=programs /image/ /
COPY scripts/package/image-root /usr/local/sbin/image-root
# The date of every file, so that equal sources give an equal layer.
ARG SOURCE_DATE_EPOCH=0
RUN image-root /image

FROM scratch
COPY --from=root /image/ /

ARG REVISION=unknown
LABEL org.opencontainers.image.title="brightnessd" \
    org.opencontainers.image.description="Display brightness over HTTP" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.revision="${REVISION}"
USER 8787:8787
WORKDIR /var/lib/brightnessd
VOLUME /var/lib/brightnessd
ENV BRIGHTNESSD_STATE_DIRECTORY=/var/lib/brightnessd \
    BRIGHTNESSD_LISTEN=0.0.0.0:8787 \
    BRIGHTNESSD_ANONYMOUS=read
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["/usr/bin/brightnessd", "healthcheck"]
ENTRYPOINT ["/usr/bin/brightnessd"]
