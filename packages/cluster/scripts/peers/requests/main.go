// Records what Go reads in certificate requests that were changed on purpose or by chance, as Kubernetes reads them: the first block
// that encoding/pem finds, then crypto/x509. go run . > ../../../test/goldens/requests.json
// Keys and signatures are fixed, so that every run makes the same requests.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/rand"
	"os"
	"strings"
)

var random = rand.New(rand.NewSource(1))

// An element of DER; length, where it is not nil, is written as it is.
type element struct {
	tag      byte
	content  []byte
	children []*element
	length   []byte
}

func (e *element) bytes() []byte {
	content := e.content
	for _, child := range e.children {
		content = append(content[:len(content):len(content)], child.bytes()...)
	}
	length := e.length
	if length == nil {
		switch size := len(content); {
		case size < 0x80:
			length = []byte{byte(size)}
		case size < 0x100:
			length = []byte{0x81, byte(size)}
		default:
			length = []byte{0x82, byte(size >> 8), byte(size)}
		}
	}
	return append(append([]byte{e.tag}, length...), content...)
}

func (e *element) copy() *element {
	same := &element{tag: e.tag, content: append([]byte{}, e.content...), length: e.length}
	for _, child := range e.children {
		same.children = append(same.children, child.copy())
	}
	return same
}

func (e *element) all() []*element {
	list := []*element{e}
	for _, child := range e.children {
		list = append(list, child.all()...)
	}
	return list
}

func node(tag byte, children ...*element) *element { return &element{tag: tag, children: children} }
func leaf(tag byte, content string) *element       { return &element{tag: tag, content: []byte(content)} }

func oid(arcs ...int) *element {
	encoded, err := asn1.Marshal(asn1.ObjectIdentifier(arcs))
	if err != nil {
		panic(err)
	}
	return &element{tag: 0x06, content: encoded[2:]}
}

// One part of a subject: 3 is the common name, 10 the organisation.
func part(kind int, tag byte, text string) *element {
	return node(0x31, node(0x30, oid(2, 5, 4, kind), leaf(tag, text)))
}

func subject(parts ...*element) *element { return node(0x30, parts...) }

func usual(name string) *element {
	return subject(part(10, 0x13, "system:nodes"), part(3, 0x13, "system:node:"+name))
}

func names(list ...*element) *element { return node(0x30, list...) }

func extension(value *element, before ...*element) *element {
	return node(0x30, append(append([]*element{oid(2, 5, 29, 17)}, before...), node(0x04, value))...)
}

func attribute(values ...*element) *element {
	return node(0x30, oid(1, 2, 840, 113549, 1, 9, 14), node(0x31, values...))
}

func request(who *element, attributes ...*element) *element {
	// The generator of P-256 is a point of the curve.
	point, _ := hex.DecodeString("046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
	key := node(0x30, node(0x30, oid(1, 2, 840, 10045, 2, 1), oid(1, 2, 840, 10045, 3, 1, 7)), leaf(0x03, "\x00"+string(point)))
	info := node(0x30, leaf(0x02, "\x00"), who, key, node(0xa0, attributes...))
	return node(0x30, info, node(0x30, oid(1, 2, 840, 10045, 4, 3, 2)), leaf(0x03, "\x00\x30\x06\x02\x01\x01\x02\x01\x01"))
}

func block(der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE REQUEST", Bytes: der}))
}

// What Kubernetes would sign, or why it signs nothing.
func answer(text string) any {
	found, _ := pem.Decode([]byte(text))
	if found == nil || found.Type != "CERTIFICATE REQUEST" {
		return "PEM block type must be CERTIFICATE REQUEST"
	}
	read, err := x509.ParseCertificateRequest(found.Bytes)
	if err != nil {
		// The long ones describe Go's own types.
		return err.Error()[:min(len(err.Error()), 60)]
	}
	addresses := []string{}
	for _, address := range read.IPAddresses {
		addresses = append(addresses, address.String())
	}
	extensions := []string{}
	for _, one := range read.Extensions {
		extensions = append(extensions, one.Id.String())
	}
	digest := sha256.Sum256(read.RawSubjectPublicKeyInfo)
	return map[string]any{
		"cn": read.Subject.CommonName, "o": append([]string{}, read.Subject.Organization...), "parts": len(read.Subject.Names),
		"dns": append([]string{}, read.DNSNames...), "ip": addresses, "other": len(read.EmailAddresses) + len(read.URIs),
		"extensions": extensions, "key": hex.EncodeToString(digest[:8]),
	}
}

func main() {
	dns := func(text string) *element { return leaf(0x82, text) }
	ip := func(text string) *element { return leaf(0x87, text) }
	two := names(dns("w1"), ip("\xc0\x00\x02\x32"))
	bases := map[string]*element{
		"w1":      request(usual("w1")),
		"m0":      request(usual("master-0")),
		"serving": request(usual("w1"), attribute(node(0x30, extension(two)))),
	}
	order := []string{"w1", "m0", "serving"}
	record := map[string]any{}
	blocks := map[string]string{}
	for name, base := range bases {
		blocks[name] = base64.StdEncoding.EncodeToString(base.bytes())
	}
	record["bases"] = blocks

	// Texts around and inside of blocks; <w1> stands for a whole block without its last newline.
	expand := func(text string) string {
		for name, base := range bases {
			whole := strings.TrimSuffix(block(base.bytes()), "\n")
			lines := strings.Split(whole, "\n")
			text = strings.ReplaceAll(text, "<"+name+">", whole)
			text = strings.ReplaceAll(text, "<"+name+" lines>", strings.Join(lines[1:len(lines)-1], "\n"))
			text = strings.ReplaceAll(text, "<"+name+" unbroken>", strings.Join(lines[1:len(lines)-1], ""))
		}
		return text
	}
	begin, end := "-----BEGIN CERTIFICATE REQUEST-----", "-----END CERTIFICATE REQUEST-----"
	texts := []string{
		"<w1>", "<w1>\n", "<w1>\n\n", "<w1> \n", "<w1>\r\n", " <w1>\n", "\n<w1>\n", "\ufeff<w1>\n", "x<w1>\n<m0>\n", " <w1>\n<m0>\n", "<w1>\n<m0>\n", "<w1><m0>\n",
		"<w1>x\n<m0>\n", begin + "\nNote: x\n\n<m0 lines>\n" + end + "\n<w1>\n", begin + "\nNote: x\n<m0 lines>\n" + end + "\n", begin + "\n" + begin + "\n<m0 lines>\n" + end + "\n",
		begin + "\n<w1 lines>\n<m0>\n", begin + " \n<w1 lines>\n" + end, begin + "\r\n<w1 lines>\r\n" + end + "\r\n", begin + "\n<w1 unbroken>\n" + end + "\n", begin + "\n<w1 lines>\n\n" + end + "\n",
		begin + "\n <w1 lines>\n" + end + "\n", begin + "\n<w1 lines>" + end + "\n", begin + "<w1 lines>\n" + end + "\n", begin + "\n<w1 lines>=\n" + end + "\n", begin + "\n<w1 lines>\n<m0 lines>\n" + end + "\n",
		"-----BEGIN NEW CERTIFICATE REQUEST-----\n<w1 lines>\n-----END NEW CERTIFICATE REQUEST-----\n", "-----BEGIN CERTIFICATE-----\n<w1 lines>\n-----END CERTIFICATE-----\n<m0>\n",
		"-----BEGIN certificate request-----\n<w1 lines>\n-----END certificate request-----\n<m0>\n", begin + "\n" + end + "\n<m0>\n", begin + "\n!\n" + end + "\n<m0>\n", begin + "\n<w1 lines>\n-----END X-----\n<m0>\n", "",
	}
	words := []string{begin, begin + "\n", end, "\n" + end, end + "\n", "<w1>", "<m0>", "<w1>\n", "<m0>\n", "<w1 lines>", "<m0 lines>", "\n", "\n", "\r\n", " ", "\t", "x", "=", "A: b\n", "\n\n", "-----", "\v", "\u2028", "\x00"}
	seen := map[string]bool{}
	pems := [][2]any{}
	addText := func(text string) {
		if !seen[text] {
			seen[text] = true
			pems = append(pems, [2]any{text, answer(expand(text))})
		}
	}
	for _, text := range texts {
		addText(text)
	}
	for len(pems) < 800 {
		var text strings.Builder
		if random.Intn(2) == 0 {
			text.WriteString(begin + "\n")
		}
		for count := 1 + random.Intn(6); count > 0; count-- {
			text.WriteString(words[random.Intn(len(words))])
		}
		addText(text.String())
	}
	record["texts"] = pems

	// Single bytes set, put in or left out: the base, the place, what is done and the byte.
	edits := [][5]any{}
	for len(edits) < 2500 {
		base := order[random.Intn(len(order))]
		der := bases[base].bytes()
		at, value := random.Intn(len(der)), byte(random.Intn(256))
		if random.Intn(2) == 0 {
			value = der[at] + byte(random.Intn(3)) - 1
		}
		kind := []string{"set", "set", "set", "put", "cut"}[random.Intn(5)]
		changed := append([]byte{}, der[:at]...)
		if kind != "cut" {
			changed = append(changed, value)
		}
		if kind == "put" {
			changed = append(changed, der[at:]...)
		} else {
			changed = append(changed, der[at+1:]...)
		}
		if !bytes.Equal(changed, der) {
			edits = append(edits, [5]any{base, at, kind, value, answer(block(changed))})
		}
	}
	record["edits"] = edits

	// Whole requests of other shapes, whose lengths are right.
	shapes := [][2]any{}
	shapesSeen := map[string]bool{}
	addShape := func(der []byte) {
		encoded := base64.StdEncoding.EncodeToString(der)
		if !shapesSeen[encoded] {
			shapesSeen[encoded] = true
			shapes = append(shapes, [2]any{encoded, answer(block(der))})
		}
	}
	serving := func(list ...*element) *element {
		return request(usual("w1"), attribute(node(0x30, extension(names(list...)))))
	}
	org := part(10, 0x0c, "system:nodes")
	for _, tag := range []byte{0x0c, 0x12, 0x13, 0x14, 0x16, 0x1a, 0x1b, 0x1c, 0x1e, 0x04, 0x02, 0x2c} {
		addShape(request(subject(org, part(3, tag, "system:node:w1"))).bytes())
		addShape(request(subject(part(10, tag, "system:nodes"), part(3, 0x0c, "system:node:w1"))).bytes())
		addShape(request(subject(org, part(3, 0x0c, "system:node:w1"), part(3, tag, "system:node:master-0"))).bytes())
		addShape(request(subject(org, part(3, tag, "system:node:master-0"), part(3, 0x0c, "system:node:w1"))).bytes())
		addShape(request(subject(org, part(3, tag, "\x00s\x00y\x00s\x00t\x00e\x00m"))).bytes())
	}
	for _, text := range []string{"system:node:w1\x00", "\xef\xbb\xbfsystem:node:w1", "system:node:w1\xff", "system:node:w1\xc0\x80", "system:node:w\u0131", "", " system:node:w1", "system:node:w1@", "system:node:W1", "system:node:w1*", "a,CN=b+c", "#a", "\"<;>\\"} {
		addShape(request(subject(org, part(3, 0x0c, text))).bytes())
		addShape(request(subject(org, part(3, 0x13, text))).bytes())
		addShape(serving(dns(text)).bytes())
	}
	addShape(request(subject(node(0x31, node(0x30, oid(2, 5, 4, 10), leaf(0x0c, "system:nodes")), node(0x30, oid(2, 5, 4, 3), leaf(0x0c, "system:node:w1"))))).bytes())
	addShape(request(subject(node(0x31), org, part(3, 0x0c, "system:node:w1"))).bytes())
	addShape(request(subject(org, org, part(3, 0x0c, "system:node:w1"))).bytes())
	addShape(request(subject(org, part(11, 0x0c, "x"), part(3, 0x0c, "system:node:w1"))).bytes())
	addShape(request(subject(org, node(0x31, node(0x30, leaf(0x06, "\x55\x04\x03\x80"), leaf(0x0c, "system:node:w1"))))).bytes())
	addShape(request(subject(org, node(0x31, node(0x30, leaf(0x06, "\x55\x04\x80\x03"), leaf(0x0c, "system:node:w1"))))).bytes())
	for _, size := range []int{0, 3, 4, 5, 8, 15, 16, 17, 32} {
		addShape(serving(ip(strings.Repeat("\x0a", size))).bytes())
	}
	addShape(serving(ip("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc0\x00\x02\x01")).bytes())
	addShape(serving(ip("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc0\x00\x02\x01")).bytes())
	addShape(serving(ip("\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x01")).bytes())
	addShape(serving().bytes())
	for _, tag := range []byte{0x80, 0x81, 0x83, 0x84, 0x85, 0x86, 0x88, 0xa0, 0xa2, 0xa4, 0xa7, 0x02, 0x16} {
		addShape(serving(dns("w1"), leaf(tag, "a@b.test")).bytes())
		addShape(serving(dns("w1"), leaf(tag, "https://b.test")).bytes())
	}
	san, other := extension(two), extension(names(dns("master-0")))
	addShape(request(usual("w1"), attribute(node(0x30, san, other))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, san), node(0x30, other))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, san)), attribute(node(0x30, other))).bytes())
	addShape(request(usual("w1"), attribute(), attribute(node(0x30, other))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30)), attribute(node(0x30, other))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, extension(two, leaf(0x01, "\xff"))))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, extension(two, leaf(0x01, "\x00"))))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, extension(two, leaf(0x01, "\x01"))))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, extension(two, leaf(0x04, "x"))))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, node(0x30, oid(2, 5, 29, 17), node(0x04, names(dns("w1")), names(dns("master-0"))))))).bytes())
	addShape(request(usual("w1"), attribute(node(0x30, node(0x30, oid(2, 5, 29, 19), leaf(0x04, "\x30\x03\x01\x01\xff"))))).bytes())
	addShape(request(usual("w1"), node(0x30, oid(1, 2, 840, 113549, 1, 9, 7), node(0x31, leaf(0x13, "secret")))).bytes())

	tags := []byte{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x16, 0x1f, 0x30, 0x31, 0x3f, 0x80, 0x82, 0x87, 0xa0, 0xa1}
	for tries := 0; tries < 900; tries++ {
		changed := bases[order[random.Intn(len(order))]].copy()
		for count := 1 + random.Intn(2); count > 0; count-- {
			list := changed.all()
			one, two := list[random.Intn(len(list))], list[random.Intn(len(list))]
			switch random.Intn(8) {
			case 0:
				one.tag = tags[random.Intn(len(tags))]
			case 1:
				one.children = append(one.children, two.copy())
			case 2:
				if size := len(one.children); size > 0 {
					one.children = append(one.children, one.children[random.Intn(size)].copy())
				}
			case 3:
				if size := len(one.children); size > 0 {
					at := random.Intn(size)
					one.children = append(one.children[:at:at], one.children[at+1:]...)
				}
			case 4:
				if size := len(one.children); size > 1 {
					a, b := random.Intn(size), random.Intn(size)
					one.children[a], one.children[b] = one.children[b], one.children[a]
				}
			case 5:
				size := len(one.bytes()) - 2
				one.length = [][]byte{{0x81, byte(size)}, {0x82, 0, byte(size)}, {0x80}, {0x84, 0, 0, 0, byte(size)}}[random.Intn(4)]
			case 6:
				one.content = append(one.content, byte(random.Intn(256)))
			case 7:
				one.children = append([]*element{two.copy()}, one.children...)
			}
		}
		addShape(changed.bytes())
	}
	record["shapes"] = shapes

	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(record); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
