export function roleOf(service: string): string {
  return `parley_${service}`;
}

export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

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

/** Returns `host:port`, for messages. */
export function addressOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? hostname}:${searchParams.get('port') ?? (port || '5432')}`;
}
