"""Time to the first verdict of a page, in headless Chromium with every target's processor throttled.
   verdict.py FOLDER HASH RATE RUNS"""
import gzip, http.server, json, os, re, socketserver, subprocess, sys, tempfile, threading, time
import websocket
folder, fragment, rate, runs = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
TYPES={'.js':'text/javascript','.wasm':'application/wasm','.html':'text/html','.css':'text/css','.json':'application/json','.svg':'image/svg+xml'}
cache={}; sent=[0]
class H(http.server.BaseHTTPRequestHandler):
    protocol_version='HTTP/1.1'
    def do_GET(self):
        p=self.path.split('?')[0]; p='/index.html' if p=='/' else p
        f=folder+p
        if not os.path.isfile(f): self.send_response(404); self.send_header('Content-Length','0'); self.end_headers(); return
        if f not in cache:
            b=open(f,'rb').read(); cache[f]=gzip.compress(b,9)
        b=cache[f]; sent[0]+=len(b)
        self.send_response(200); self.send_header('Content-Type',TYPES.get(os.path.splitext(f)[1],'application/octet-stream'))
        self.send_header('Content-Encoding','gzip'); self.send_header('Content-Length',str(len(b))); self.end_headers(); self.wfile.write(b)
    def log_message(self,*a): pass
class S(socketserver.ThreadingMixIn,http.server.HTTPServer): daemon_threads=True
server=S(('127.0.0.1',0),H); threading.Thread(target=server.serve_forever,daemon=True).start()
url=f'http://127.0.0.1:{server.server_port}/'
OBS="""new MutationObserver(()=>{const v=document.querySelector('#verdict');
 if(!window.__t&&v&&/White|Black/.test(v.textContent)){window.__t=performance.now();window.__v=v.textContent}}).observe(document,{subtree:true,childList:true,characterData:true});"""
for _ in range(runs):
    d=tempfile.mkdtemp(); sent[0]=0
    p=subprocess.Popen(['nice','-n','-15','chromium','--headless=new','--no-sandbox','--disable-gpu','--remote-debugging-port=0',f'--user-data-dir={d}','--remote-allow-origins=*','about:blank'],stderr=subprocess.PIPE,text=True)
    for line in p.stderr:
        m=re.search(r'ws://\S+',line)
        if m: break
    threading.Thread(target=lambda: [None for _ in p.stderr],daemon=True).start()
    ws=websocket.create_connection(m[0],timeout=60); n=[0]; waiting={}; throttled=[]
    def send(method,params={},session=None):
        n[0]+=1; msg={'id':n[0],'method':method,'params':params}
        if session: msg['sessionId']=session
        ws.send(json.dumps(msg)); return n[0]
    def pump(until):
        while True:
            m=json.loads(ws.recv())
            if m.get('method')=='Target.attachedToTarget':
                s=m['params']['sessionId']; t=m['params']['targetInfo']['type']
                k=send('Emulation.setCPUThrottlingRate',{'rate':rate},s); throttled.append((k,t))
                send('Target.setAutoAttach',{'autoAttach':True,'waitForDebuggerOnStart':True,'flatten':True},s)
                send('Runtime.runIfWaitingForDebugger',{},s)
            for k,t in throttled:
                if m.get('id')==k: waiting[t]='ok' if 'result' in m else m['error']['message']
            if m.get('id')==until: return m
    k=send('Target.createTarget',{'url':'about:blank'}); t=pump(k)['result']['targetId']
    k=send('Target.attachToTarget',{'targetId':t,'flatten':True}); s=pump(k)['result']['sessionId']
    for me,pa in [('Page.enable',{}),('Emulation.setCPUThrottlingRate',{'rate':rate}),('Target.setAutoAttach',{'autoAttach':True,'waitForDebuggerOnStart':True,'flatten':True}),('Page.addScriptToEvaluateOnNewDocument',{'source':OBS})]:
        pump(send(me,pa,s))
    pump(send('Page.navigate',{'url':url+fragment},s))
    end=time.time()+60
    while time.time()<end:
        v=pump(send('Runtime.evaluate',{'expression':'[window.__t,window.__v]','returnByValue':True},s))['result']['result'].get('value')
        if v and v[0]: break
        time.sleep(.1)
    print(f'{v[0]:.0f} ms' if v and v[0] else 'never', (v or [0,''])[1][:50], f'{sent[0]/1e6:.2f} MB sent', waiting, flush=True)
    ws.close(); p.kill(); p.wait()
