/** The role by which a service reaches its schema. */
export function roleOf(service: string): string {
  return `parley_${service}`;
}

/** The same server and role, another database. */
export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

/** The URL by which a service's own role reaches the database. */
export function serviceUrl(
  adminUrl: string,
  database: string,
  service: { name: string; password: string },
): string {
  const url = new URL(databaseUrl(adminUrl, database));
  url.username = roleOf(service.name);
  url.password = encodeURIComponent(service.password);
  return url.href;
}
