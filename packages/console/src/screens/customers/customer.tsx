import type { Customer, CustomerInteraction } from '@parley/client';
import { detailNames } from '@parley/contracts/customer-details';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { nameIn } from '../../data/customer-names.ts';
import { useLiveOptions } from '../../data/live.tsx';
import { useWorkspace } from '../../data/workspace.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CustomerTitle } from '../../ui/customer-name.tsx';
import { HiddenNote, Personal } from '../../ui/hidden.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ScreenHead, Section, SkeletonLines } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Status, TestMark } from '../interactions/status.tsx';
import { CustomerControls } from './controls.tsx';
import { EditProfile } from './edit-profile.tsx';
import { ReceiptList } from './receipts.tsx';

const route = getRouteApi('/w/$workspaceId/customers/$customerId');

/** One customer: the profile, all interactions, and what was erased. */
export function CustomerScreen() {
  const { customerId } = route.useParams();
  const { customers: t, common } = useTexts();
  const { id, client } = useWorkspace();
  const live = useLiveOptions();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'customer', customerId],
    queryFn: ({ signal }) => client.customers.get(customerId, { signal }),
    ...live,
  });
  return (
    <>
      <ScreenHead title={<CustomerTitle id={customerId} name={data && nameIn(data)} />}>
        {data && <CustomerControls customer={data} />}
      </ScreenHead>
      <HiddenNote />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        {data ? (
          <History interactions={data.interactions} />
        ) : (
          !error && <SkeletonLines label={common.loading} />
        )}
        <div className="grid gap-4">
          {data && <Profile customer={data} />}
          <Contactable customerId={customerId} />
          <Section title={t.receipts}>
            <ReceiptList customerId={customerId} />
          </Section>
        </div>
      </div>
    </>
  );
}

function Profile({ customer }: { customer: Customer }) {
  const { customers: t } = useTexts();
  return (
    <Section title={t.profile} aside={<EditProfile customer={customer} />}>
      <dl className="grid grid-cols-[auto_1fr] wrap-anywhere gap-x-6 gap-y-2 p-4">
        {detailNames.map((name) => (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-quiet">{t.details[name]}</dt>
            <dd>{customer[name] === '' ? '–' : <Personal text={customer[name]} />}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** Whether the contact policy allows an interaction now, or from when. Nothing without a policy. */
function Contactable({ customerId }: { customerId: string }) {
  const { customers: t } = useTexts();
  const { id, client, can } = useWorkspace();
  const live = useLiveOptions();
  const { data } = useQuery({
    queryKey: [id, 'contactability', customerId],
    queryFn: ({ signal }) => client.customers.getContactability(customerId, {}, { signal }),
    enabled: can('interactions:read'),
    ...live,
  });
  if (!data || data.policy.anyBot === null) return null;
  return (
    <Section title={t.contact}>
      <p className="p-4">
        {data.retryAt === null ? t.contactAllowed : t.contactFrom}{' '}
        {data.retryAt !== null && <Time at={data.retryAt} />}
      </p>
    </Section>
  );
}

function History({ interactions }: { interactions: CustomerInteraction[] }) {
  const { customers: t } = useTexts();
  const { id: workspaceId } = useWorkspace();
  return (
    <Section title={t.history(interactions.length)}>
      {interactions.length === 0 && <p className="p-4 text-quiet">{t.noHistory}</p>}
      <ul>
        {interactions.map(({ id, status, type, createdAt, isTest }) => (
          <li key={id} className="relative border-b border-line last:border-0 hover:bg-raised">
            <Link
              to="/w/$workspaceId/interactions/$interactionId"
              params={{ workspaceId, interactionId: id }}
              className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_7rem_11rem]"
            >
              <span className="font-medium break-words text-accent max-sm:col-span-2">
                {type} <TestMark isTest={isTest} />
              </span>
              <span>
                <Status status={status} />
              </span>
              <span className="text-right text-quiet">
                <Time at={createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
