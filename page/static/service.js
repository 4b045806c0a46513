// Keeps the page's files, so that it works without a network after the first visit. page/build fills in what
// they are; with other files the browser takes a new copy, and uses it when no tab has the old one open.

const FILES = [/* files */];
const PREFIX = `amazons ${self.registration.scope} `;
const NAME = `${PREFIX}${"/* version */"}`;
const KEPT = new Set(FILES.map((file) => new URL(file, self.registration.scope).href));

self.addEventListener("install", (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = request.url.replace(/[?#].*$/, "");
  if (request.method !== "GET" || !KEPT.has(address)) return;
  event.respondWith((async () => {
    const cache = await caches.open(NAME);
    return (await cache.match(address)) ?? fetch(request);
  })());
});
