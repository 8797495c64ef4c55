// A stand-in for the Go image service (openshift/assisted-image-service), for machines without it: it reads the same data for
// each request, in the same way, but shares none of its code. It opens the image again for each lookup, requests the config and
// the kernel arguments from the service beside it, adds a reader for each area, and leaves ranges to net/http. The missing
// parts only make it faster: versions, tokens, metrics, minimal images.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

const sector = 2048

// layer replaces bytes of base, starting at at. It seeks after each read, as the service's readers do.
type layer struct {
	base            io.ReadSeeker
	patch           *bytes.Reader
	at, end, length int64
	position        int64
}

func newLayer(base io.ReadSeeker, patch []byte, at int64) (*layer, error) {
	length, err := base.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	made := &layer{base: base, patch: bytes.NewReader(patch), at: at, end: at + int64(len(patch)), length: length}
	_, err = made.Seek(0, io.SeekStart)
	return made, err
}

func (l *layer) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += l.position
	case io.SeekEnd:
		offset += l.length
	}
	l.position = offset
	if offset >= l.at && offset < l.end {
		_, err := l.patch.Seek(offset-l.at, io.SeekStart)
		return offset, err
	}
	_, err := l.base.Seek(offset, io.SeekStart)
	return offset, err
}

func (l *layer) Read(into []byte) (int, error) {
	if l.position >= l.length {
		return 0, io.EOF
	}
	var source io.Reader = l.base
	if l.position >= l.at && l.position < l.end {
		source = l.patch
	} else if l.position < l.at && l.position+int64(len(into)) > l.at {
		into = into[:l.at-l.position]
	}
	count, err := source.Read(into)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if _, failed := l.Seek(l.position+int64(count), io.SeekStart); failed != nil {
		return count, failed
	}
	return count, err
}

type extent struct{ start, size int64 }

// find opens the image, reads its descriptors, and follows a path of Rock Ridge names.
func find(image, path string) (extent, error) {
	file, err := os.Open(image)
	if err != nil {
		return extent{}, err
	}
	defer file.Close()
	head := make([]byte, 16*sector)
	if _, err := file.ReadAt(head, 0); err != nil {
		return extent{}, err
	}
	descriptor := make([]byte, sector)
	if _, err := file.ReadAt(descriptor, 16*sector); err != nil {
		return extent{}, err
	}
	for at := int64(17); ; at++ {
		other := make([]byte, sector)
		if _, err := file.ReadAt(other, at*sector); err != nil || other[0] == 255 {
			break
		}
	}
	table := make([]byte, binary.LittleEndian.Uint32(descriptor[132:]))
	if _, err := file.ReadAt(table, int64(binary.LittleEndian.Uint32(descriptor[140:]))*sector); err != nil {
		return extent{}, err
	}
	place := recordExtent(descriptor[156:])
	for _, name := range strings.Split(path, "/") {
		directory := make([]byte, place.size)
		if _, err := file.ReadAt(directory, place.start); err != nil {
			return extent{}, err
		}
		found := false
		for at := 0; at < len(directory); {
			length := int(directory[at])
			if length == 0 {
				at = (at/sector + 1) * sector
				continue
			}
			if rockRidgeName(directory[at:at+length]) == name {
				place, found = recordExtent(directory[at:]), true
			}
			at += length
		}
		if !found {
			return extent{}, fmt.Errorf("%s: %w", path, os.ErrNotExist)
		}
	}
	return place, nil
}

func recordExtent(record []byte) extent {
	return extent{int64(binary.LittleEndian.Uint32(record[2:])) * sector, int64(binary.LittleEndian.Uint32(record[10:]))}
}

func rockRidgeName(record []byte) string {
	at := 33 + int(record[32])
	at += at & 1
	for at+4 < len(record) && record[at+2] >= 4 && at+int(record[at+2]) <= len(record) {
		length := int(record[at+2])
		if string(record[at:at+2]) == "NM" {
			return string(record[at+5 : at+length])
		}
		at += length
	}
	return ""
}

func read(image, path string) ([]byte, error) {
	place, err := find(image, path)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(image)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content := make([]byte, place.size)
	_, err = file.ReadAt(content, place.start)
	return content, err
}

func readJSON(image, path string, into any) error {
	content, err := read(image, path)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, into)
}

// ask fetches the data of a host from the service beside this one.
func ask(address string, into any) error {
	response, err := http.Get(address)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// archive returns a config in a compressed newc archive.
func archive(config []byte) ([]byte, error) {
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	for index, member := range []struct {
		name    string
		content []byte
	}{{"config.ign", config}, {"TRAILER!!!", nil}} {
		fields := []int{index, 0o100644, 0, 0, 1, 0, len(member.content), 0, 0, 0, 0, len(member.name) + 1, 0}
		text := "070701"
		for _, field := range fields {
			text += fmt.Sprintf("%08X", field)
		}
		text += member.name + "\x00"
		text += strings.Repeat("\x00", (4-len(text)%4)%4) + string(member.content)
		text += strings.Repeat("\x00", (4-len(text)%4)%4)
		if _, err := io.WriteString(compressed, text); err != nil {
			return nil, err
		}
	}
	err := compressed.Close()
	return packed.Bytes(), err
}

// customised returns the image with the config and the kernel arguments of a host.
func customised(image, service, host string) (io.ReadSeeker, io.Closer, error) {
	var config json.RawMessage
	if err := ask(service+host+"/downloads/files?file_name=discovery.ign", &config); err != nil {
		return nil, nil, err
	}
	var about struct {
		KernelArguments string `json:"kernel_arguments"`
	}
	if err := ask(service+host, &about); err != nil {
		return nil, nil, err
	}
	var operations []struct{ Operation, Value string }
	if err := json.Unmarshal([]byte(about.KernelArguments), &operations); err != nil {
		return nil, nil, err
	}
	var info struct{ File string }
	if err := readJSON(image, "coreos/igninfo.json", &info); err != nil {
		return nil, nil, err
	}
	area, err := find(image, info.File)
	if err != nil {
		return nil, nil, err
	}
	packed, err := archive(config)
	if err != nil {
		return nil, nil, err
	}
	if int64(len(packed)) > area.size {
		return nil, nil, fmt.Errorf("content length (%d) exceeds embed area size (%d)", len(packed), area.size)
	}
	file, err := os.Open(image)
	if err != nil {
		return nil, nil, err
	}
	var reader io.ReadSeeker = file
	lay := func(patch []byte, at int64) {
		if err == nil {
			reader, err = newLayer(reader, patch, at)
		}
	}
	lay(packed, area.start)
	lay(make([]byte, area.size-int64(len(packed))), area.start+int64(len(packed)))
	var kargs struct{ Files []struct{ Path string } }
	if err == nil {
		err = readJSON(image, "coreos/kargs.json", &kargs)
	}
	added := ""
	for _, operation := range operations {
		added += " " + operation.Value
	}
	for _, menu := range kargs.Files {
		var content []byte
		if err == nil {
			content, err = read(image, menu.Path)
		}
		var place extent
		if err == nil {
			place, err = find(image, menu.Path)
		}
		if at := bytes.IndexByte(content, '#'); at >= 0 {
			lay([]byte(added+"\n"), place.start+int64(at))
		}
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return reader, file, nil
}

func main() {
	var images []struct{ Url string }
	if err := json.Unmarshal([]byte(os.Getenv("OS_IMAGES")), &images); err != nil || len(images) != 1 {
		log.Fatal("OS_IMAGES must name one image: ", err)
	}
	service := os.Getenv("ASSISTED_SERVICE_SCHEME") + "://" + os.Getenv("ASSISTED_SERVICE_HOST") + "/api/assisted-install/v2/infra-envs/"
	image := filepath.Join(os.Getenv("DATA_DIR"), "base.iso")
	var isReady atomic.Bool
	go func() {
		response, err := http.Get(images[0].Url)
		if err != nil {
			log.Fatal(err)
		}
		defer response.Body.Close()
		file, err := os.Create(image)
		if err == nil {
			_, err = io.Copy(file, response.Body)
		}
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			log.Fatal(err)
		}
		isReady.Store(true)
	}()
	http.HandleFunc("GET /health", func(response http.ResponseWriter, _ *http.Request) {
		if !isReady.Load() {
			response.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	http.HandleFunc("GET /byid/{id}/{version}/{architecture}/{name}", func(response http.ResponseWriter, request *http.Request) {
		reader, file, err := customised(image, service, request.PathValue("id"))
		if err != nil {
			log.Print(err)
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		defer file.Close()
		http.ServeContent(response, request, "live.iso", time.Time{}, reader)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("LISTEN_PORT"), nil))
}
