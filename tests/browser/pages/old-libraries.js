// What libraries of the years before 2012 do to globals: Prototype.js 1.6, MooTools 1.3 and Datejs.
(() => {
  const quoted = (text) => `"${text}"`;
  const toJSON = {
    Array: function () {
      return `[${this.map((value) => quoted(value)).join(', ')}]`;
    },
    Object: function () {
      return quoted(Object.prototype.toString.call(this));
    },
    String: function () {
      return quoted(this);
    },
    Number: function () {
      return String(this);
    },
    Date: function () {
      return quoted(this.toISOString());
    },
  };
  for (const [name, method] of Object.entries(toJSON)) window[name].prototype.toJSON = method;

  const toArray = (list) => {
    if (list === null || list === undefined) return [];
    if (list.toArray) return list.toArray();
    const result = [];
    for (let at = 0; at < (list.length ?? 0); at += 1) result[at] = list[at];
    return result;
  };
  Array.from = toArray;
  const arrays = {
    toArray() {
      return this.slice(0);
    },
    entries() {
      return this.slice(0);
    },
    reduce() {
      return this.length > 1 ? this : this[0];
    },
    flatten() {
      return this.concat.apply([], this);
    },
    each(visit) {
      this.forEach(visit);
    },
    size() {
      return this.length;
    },
  };
  Object.assign(Array.prototype, arrays);
  Object.keys = (object) => {
    const names = [];
    for (const name in object) names.push(name);
    return names;
  };
  Function.prototype.bind = function (object, ...first) {
    const method = this;
    return function (...rest) {
      return method.apply(object, [...first, ...rest]);
    };
  };
  Element.prototype.remove = function () {
    this.parentNode.removeChild(this);
    return this;
  };
  Date.now = () => new Date();
  window.Event = window.Element = window.Class = function () {};
  window.$ = window.$$ = (id) => document.getElementById(id);
})();
