import { ParleyWidget, useConversation } from '@parley/widget/react';
import { StrictMode, useRef, useState, version } from 'react';
import { createRoot } from 'react-dom/client';

// A React page as a customer's site has it. The query says whose: `baseUrl`, `workspaceId`, `customer`, `view`.

const { baseUrl, workspaceId, customer, view } = Object.fromEntries(new URLSearchParams(location.search));
const getTokenOf = (id) => async () => (await fetch(`/token?customer=${encodeURIComponent(id)}`)).text();

function Site() {
  const widget = useRef(null);
  const [id, setId] = useState(customer);
  const [isShown, setShown] = useState(true);
  const [events, setEvents] = useState([]);
  const note = (name) => (event) => setEvents((all) => [...all, `${name} ${event.interactionId}`]);
  return (
    <>
      <button onClick={() => widget.current.open()}>Ask me</button>
      <button onClick={() => setId('another')}>Change customer</button>
      <button onClick={() => setShown(false)}>Leave</button>
      <output>{events.join(', ')}</output>
      {isShown && (
        <ParleyWidget
          key={id}
          ref={widget}
          baseUrl={baseUrl}
          workspaceId={workspaceId}
          getCustomerToken={getTokenOf(id)}
          theme={{ accent: '#0a7d5a' }}
          onOpen={note('open')}
          onCompleted={note('completed')}
        />
      )}
    </>
  );
}

function Conversation() {
  const { waiting, stage, snapshot, start, send, next, logout } = useConversation({
    baseUrl,
    workspaceId,
    getCustomerToken: getTokenOf(customer),
  });
  return (
    <>
      <p>{waiting === null ? 'Nothing waits' : (waiting?.botName ?? 'Unknown')}</p>
      <p>Stage: {stage}</p>
      <ol>
        {snapshot?.entries.map(({ seq, body }) => (
          <li key={seq}>{body}</li>
        ))}
      </ol>
      {stage === 'ready' && <button onClick={start}>Start</button>}
      <button onClick={next}>Next</button>
      <button onClick={logout}>Log out</button>
      {stage === 'talking' && snapshot.input && (
        <>
          <button onClick={() => send({ value: 9 }, '9')}>Nine</button>
          <button onClick={() => send({ skip: true }, 'Skipped')}>Skip</button>
        </>
      )}
    </>
  );
}

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <h1>React {version}</h1>
    {view === 'conversation' ? <Conversation /> : <Site />}
  </StrictMode>,
);
