// Keeps all files of the site, so that it works without a network, and adds the headers that let a search share memory with the
// page, which not every web server can be told to send. The list of files and the version are filled in by scripts/web.sh.
// @ts-nocheck: a service worker has other globals than a page.
const FILES = __FILES__;
const VERSION = __VERSION__;
// A server may hold several sites like this one. Each has its own files, also where the versions are the same.
const OURS = `tsumero ${self.registration.scope} `;
const NAME = OURS + VERSION;
/** The addresses of the files. */
const ADDRESSES = new Set(FILES.map((file) => new URL(file, self.location.href).href));

// A new version waits until no page of the old one is open: an open page still asks for files, and those of two versions do not fit.
self.addEventListener("install", (event) => {
    event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});

self.addEventListener("activate", (event) => {
    event.waitUntil(
        caches
            .keys()
            .then((names) => Promise.all(names.filter((name) => name.startsWith(OURS) && name !== NAME).map((name) => caches.delete(name))))
            .then(() => self.clients.claim()),
    );
});

// The same response with the headers of an isolated page.
function isolated(response) {
    if (response.status === 0) return response;
    const headers = new Headers(response.headers);
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Embedder-Policy", "require-corp");
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    // What else lies on the server is no part of the site: the headers would take pictures of other servers away from it.
    if (request.method !== "GET" || !ADDRESSES.has(origin + pathname)) return;
    event.respondWith(
        caches
            .open(NAME)
            .then((cache) => cache.match(request, { ignoreSearch: true }))
            .then((kept) => kept ?? fetch(request))
            .then(isolated),
    );
});
