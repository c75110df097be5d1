# SPDX-License-Identifier: Apache-2.0
#
# The daemon in a small image: make image (or: docker build -t brightnessd .)
#
#   docker run --rm -p 127.0.0.1:8787:8787 \
#     -e BRIGHTNESSD_LISTEN=0.0.0.0:8787 -e BRIGHTNESSD_ANONYMOUS=write brightnessd
#
# The image takes no decision about who may use it. As everywhere, the daemon listens on loopback unless told otherwise,
# which in a container nobody outside can reach; and it refuses any other address until it is told what somebody
# without a token may do. `-p 127.0.0.1:…` then keeps the port on this machine.

FROM swift:6.3-bookworm AS build
WORKDIR /src

# What changes seldom comes first: Debian packages, then the Swift packages this one depends on.
COPY Package.swift Makefile ./
COPY scripts/setup scripts/setup
RUN scripts/setup run && swift package resolve

COPY openapi.yaml asyncapi.yaml ./
COPY Sources Sources
COPY Tests Tests
# The Swift runtime becomes part of the programs, without its symbols; libmicrohttpd, Jansson, libwslay, libudev, SQLite, Nettle, libmosquitto,
# libsystemd and, for the helper that monitors are reached by, libddcutil stay libraries of the image.
RUN make build \
    && install -s -D .build/release/brightnessd /image/usr/bin/brightnessd \
    && install -s -D .build/release/brightness-ddc /image/usr/libexec/brightness-ddc

FROM debian:12-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends libddcutil4 libjansson4 libmicrohttpd12 libmosquitto1 libnettle8 libsqlite3-0 libsystemd0 libudev1 libwslay1 zlib1g \
    && rm -rf /var/lib/apt/lists/* /var/log/*.log /var/log/apt /var/cache/debconf/*-old /var/cache/ldconfig/aux-cache \
    && groupadd --gid 8787 brightnessd \
    && useradd --uid 8787 --gid 8787 --no-create-home --home-dir /var/lib/brightnessd --shell /usr/sbin/nologin brightnessd \
    && install -d -o brightnessd -g brightnessd -m 0750 /var/lib/brightnessd
COPY LICENSE /usr/share/doc/brightnessd/LICENSE
COPY --from=build /image/ /

USER 8787:8787
WORKDIR /var/lib/brightnessd
VOLUME /var/lib/brightnessd
ENV BRIGHTNESSD_STATE_DIRECTORY=/var/lib/brightnessd
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["/usr/bin/brightnessd", "healthcheck"]
ENTRYPOINT ["/usr/bin/brightnessd"]
