/**
 * A program for Python's `h2`. It lists objects and then creates one with padded data and trailers. Like most programs
 * with this library, it acknowledges the data of every frame immediately. It reads its instructions from stdin.
 */
export const pythonClient = `
import json, socket, ssl, sys
import h2.config, h2.connection, h2.events

asked = json.load(sys.stdin)
context = ssl.create_default_context(cafile=asked['ca'])
context.load_cert_chain(asked['cert'], asked['key'])
context.set_alpn_protocols(['h2'])
raw = socket.create_connection(('127.0.0.1', asked['port']))
wire = context.wrap_socket(raw, server_hostname='127.0.0.1')
connection = h2.connection.H2Connection(config=h2.config.H2Configuration(client_side=True))
connection.initiate_connection()
answers = {}
ended = set()
error = None

def headers(method, path):
    return [(':method', method), (':scheme', 'https'), (':authority', 'x'), (':path', asked[path])]

def flush():
    wire.sendall(connection.data_to_send())

def receive():
    global error
    data = wire.recv(65536)
    if not data:
        error = error or 'closed'
        return
    for event in connection.receive_data(data):
        if isinstance(event, h2.events.ResponseReceived):
            answers[event.stream_id] = {'status': dict(event.headers)[b':status'].decode(), 'size': 0}
        elif isinstance(event, h2.events.DataReceived):
            answers[event.stream_id]['size'] += len(event.data)
            connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            ended.add(event.stream_id)
        elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
            error = repr(event)
    flush()

connection.send_headers(1, headers('GET', 'list'), end_stream=True)
connection.send_headers(3, headers('POST', 'create') + [('content-type', 'application/json'), ('te', 'trailers')])
flush()
body = asked['body'].encode()
while body and error is None:
    room = min(connection.local_flow_control_window(3) - 11, 10000)
    if room <= 0:
        receive()
        continue
    connection.send_data(3, body[:room], pad_length=10)
    body = body[room:]
    flush()
connection.send_headers(3, [('x-sum', '1')], end_stream=True)
flush()
while len(ended) < 2 and error is None:
    receive()
print(json.dumps({'list': answers.get(1), 'created': answers.get(3), 'error': error}))
`;
