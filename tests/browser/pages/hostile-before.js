// What a page may have done to its globals before the widget's script runs.
(() => {
  // As analytics do it: each call is looked at and passed on.
  const { fetch } = window;
  window.fetch = function (...args) {
    window.seen = (window.seen ?? 0) + 1;
    return fetch.apply(this, args);
  };
  // Libraries of old put helpers where everyone meets them.
  Array.prototype.each = function (visit) {
    this.forEach(visit);
  };
  // Module systems and names that bundles look for.
  window.define = Object.assign(() => {}, { amd: {} });
  window.module = { exports: {} };
  window.exports = window.module.exports;
  window.require = () => ({});
  window.process = { env: {} };
  window.global = {};
  for (const name of ['h', 'render', 'options', 'preact', 'init', 'widget', '$', '_']) window[name] = 'taken';
  for (const { prototype } of [Object, Array, Function, Promise, Map, Set, String, Element, Node, Event]) {
    Object.freeze(prototype);
  }
})();
