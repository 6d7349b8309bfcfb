package format

import "strings"

var kindOSPF = kind{
	format: "ospf", about: "link states of FRR: show ip ospf database router json",
	mark: func(s *sample) bool { return s.object("routerLinkStates") }, read: readOSPF,
}

var kindLLDP = kind{
	format: "lldp", about: "neighbours of one host: lldpcli -f json show neighbors",
	mark: func(s *sample) bool { return s.object("lldp") }, read: readLLDP,
}

var kindIPRoute = kind{
	format: "iproute", about: "gateways or neighbours of one host: ip -j route, ip -j neigh",
	mark: func(s *sample) bool { return s.list("dst", "dev") || s.list("dst", "gateway") }, read: readIPRoute,
}

// readOSPF reads the router LSAs. A router is called by its ID; addresses of its interfaces are others of its. A
// transit network is a node, called by the address of its designated router, or becomes a clique. Links to stub
// networks are no edges. Point-to-point links stand at both ends.
func readOSPF(d *draft, text string) error {
	v, err := d.document(text)
	if err != nil {
		return err
	}
	d.loose = true // networks are named by links only
	states := v.get("routerLinkStates")
	areas := states.get("areas")
	if areas.kind != '{' {
		areas = states // as some versions have it
	}
	stubs, hubs := 0, map[string]bool{}
	for _, area := range areas.items {
		for _, lsa := range area.items {
			id := lsa.get("linkStateId")
			if id.kind != '"' {
				return d.errorf(int(lsa.line), "JSON: a router LSA lacks its linkStateId")
			}
			d.mention(id.text, int(lsa.line)) // a border router stands in several areas
			for _, l := range lsa.get("routerLinks").items {
				kind := l.get("linkType").text
				to := l.get("neighborRouterId")
				switch {
				case strings.Contains(kind, "Stub"):
					stubs++
					continue
				case strings.Contains(kind, "Transit"):
					to = l.get("designatedRouterAddress")
					hubs["net "+to.text] = true
					to.text = "net " + to.text
				}
				if to.kind != '"' {
					return d.errorf(int(l.line), "JSON: a link of %s lacks its other end", id.text)
				}
				e := d.link(id.text, to.text, int(l.line))
				d.classify(e, ospfClass(kind))
				if cost := l.get("tos0Metric"); cost.there() {
					if err := d.edgeAttr(e, "cost", cost.text, int(l.line)); err != nil {
						return err
					}
				}
			}
		}
	}
	for _, name := range sortedKeys(hubs) {
		d.transit(d.mention(name, int(v.line)))
	}
	if stubs > 0 {
		d.notef("%d links to stub networks are no edges", stubs)
	}
	return nil
}

func ospfClass(kind string) string {
	switch {
	case strings.Contains(kind, "Transit"):
		return "transit"
	case strings.Contains(kind, "irtual"):
		return "virtual"
	}
	return "point-to-point"
}

// localHost is what the host is called whose view a file is and that it does not name.
const localHost = "this host"

// lldpText is the first value of what lldpcli writes as a list of {value}, or as the value itself.
func lldpText(v value) string {
	if v.kind == '[' && len(v.items) > 0 {
		v = v.items[0]
	}
	if v.get("value").there() {
		v = v.get("value")
	}
	return v.text
}

// readLLDP reads a star: the host and its neighbours, told apart by their chassis id.
func readLLDP(d *draft, text string) error {
	v, err := d.document(text)
	if err != nil {
		return err
	}
	host := d.mention(localHost, int(v.line))
	interfaces := v.get("lldp")
	if interfaces.kind == '[' && len(interfaces.items) > 0 {
		interfaces = interfaces.items[0]
	}
	for _, i := range interfaces.get("interface").items {
		name, chassis := "", i.get("chassis")
		// Version 1 has {"eth0": {"chassis": {"name": {"id": …}}}}.
		if !chassis.there() && len(i.items) == 1 && i.items[0].kind == '{' {
			chassis = i.items[0].get("chassis")
		}
		if chassis.kind == '[' && len(chassis.items) > 0 {
			chassis = chassis.items[0]
		}
		if !chassis.get("id").there() && len(chassis.items) == 1 {
			name, chassis = chassis.items[0].name, chassis.items[0]
		}
		id := lldpText(chassis.get("id"))
		if id == "" {
			return d.errorf(int(i.line), "JSON: a neighbour lacks its chassis id")
		}
		if name == "" {
			name = lldpText(chassis.get("name"))
		}
		to := d.mention(id, int(i.line))
		d.nodeAttr(to, "label", name)
		d.edge(host, to, nan)
	}
	d.notef("the view of one host: a star around it")
	return nil
}

// readIPRoute reads a star: the host and the gateways of its routes, or its neighbours, told apart by their link-layer
// address where they have one. Neighbours that do not answer are none.
func readIPRoute(d *draft, text string) error {
	v, err := d.document(text)
	if err != nil {
		return err
	}
	host := d.mention(localHost, int(v.line))
	silent := 0
	for _, o := range v.items {
		address := o.get("gateway")
		switch {
		case o.get("lladdr").there():
			address = o.get("lladdr")
		case o.get("state").kind == '[':
			silent++
			continue
		}
		gateways := []value{address}
		for _, hop := range o.get("nexthops").items {
			gateways = append(gateways, hop.get("gateway"))
		}
		for _, g := range gateways {
			if g.kind == '"' {
				d.edge(host, d.mention(g.text, int(o.line)), nan)
			}
		}
	}
	if silent > 0 {
		d.notef("%d neighbours without a link-layer address left out", silent)
	}
	d.notef("the view of one host: a star around it")
	return nil
}
