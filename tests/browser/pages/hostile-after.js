// What a page may do once the widget's script has run.
window.fetch = () => Promise.reject(new TypeError('this page has no fetch any more'));
window.XMLHttpRequest = undefined;
