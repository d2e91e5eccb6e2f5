import { useQuery } from '@tanstack/react-query';
import { useBranding } from '../../data/branding.ts';
import { client } from '../../data/client.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Empty, ScreenHead } from '../../ui/states.tsx';
import { BrandingForm } from './branding.tsx';
import { ContactPolicyForm } from './contact-policy.tsx';
import { DomainsForm } from './domains.tsx';
import { RetentionForm } from './retention.tsx';
import { QueryState } from '../../ui/loading.tsx';

/** How the workspace looks to customers, and how long it keeps their interactions. */
export function Settings() {
  const { settings: t, common } = useTexts();
  const { can } = useWorkspace();
  return (
    <>
      <ScreenHead title={t.title} />
      {can('workspace:read') ? (
        <div className="grid gap-4">
          <Branding />
          <Domains />
          <Contacts />
          <Retention />
        </div>
      ) : (
        <Empty title={common.missingScope('workspace:read')} />
      )}
    </>
  );
}

function Branding() {
  const { data, error, refetch } = useBranding();
  if (data) return <BrandingForm branding={data} />;
  return <QueryState query={{ data, error, refetch }} />;
}

function Domains() {
  const { id } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'workspace'],
    queryFn: ({ signal }) => client.workspaces.get(id, { signal }),
  });
  if (data) return <DomainsForm allowedDomains={data.allowedDomains} />;
  return <QueryState query={{ data, error, refetch }} />;
}

function Contacts() {
  const { id, client } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'contactPolicy'],
    queryFn: ({ signal }) => client.contactPolicy.get({ signal }),
  });
  if (data) return <ContactPolicyForm policy={data} />;
  return <QueryState query={{ data, error, refetch }} />;
}

function Retention() {
  const { id, client } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'retention'],
    queryFn: ({ signal }) => client.retention.get({ signal }),
  });
  if (data) return <RetentionForm retention={data} />;
  return <QueryState query={{ data, error, refetch }} />;
}
